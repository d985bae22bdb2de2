package io.mcpbridge.server;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.InMemoryListener;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A server of tools in memory, with a log and an audit trail to look at, and a clock that a test moves. */
final class ServeBench implements AutoCloseable {
    static final String ANY = "{\"type\":\"object\"}";
    static final ToolConfig PLAIN = ToolConfig.of(ANY);

    final RecordingLogger log = new RecordingLogger();
    final InMemoryAuditSink audit = new InMemoryAuditSink();
    final AtomicLong clock = new AtomicLong(5_000_000_000L);
    final InMemoryListener listener = new InMemoryListener();
    final ToolServerOptions.Builder options;
    private final StandardEnvironment environment;
    private @Nullable ToolServer server;

    ServeBench() {
        this(Map.of());
    }

    ServeBench(Map<String, String> variables) {
        this(variables, Optional.empty());
    }

    /** A clock whose alarms the test triggers. */
    ServeBench(FakeTimekeeper time) {
        this(Map.of(), Optional.of(time));
    }

    private ServeBench(Map<String, String> variables, Optional<Timekeeper> time) {
        environment = StandardEnvironment.open(variables);
        var usual = environment.environment();
        options = ToolServerOptions.builder()
                .name("bench")
                .version("1.2.3")
                .listen(listener)
                .logger(log)
                .auditSink(audit)
                .clock(clock::get)
                .environment(Environment.of(time.orElse(usual.timekeeper()), usual.workers(), usual.launcher())
                        .withVariables(variables))
                .withoutGlobalHandlers();
    }

    /** The server, which has not started. */
    ToolServer server() {
        var made = server;
        if (made == null) {
            made = ToolServer.create(options.build());
            server = made;
        }
        return made;
    }

    /** The same with another sink. */
    ServeBench auditedBy(AuditSink sink) {
        options.auditSink(sink);
        return this;
    }

    ServeBench with(String tool, ToolHandler handler) {
        return with(tool, PLAIN, handler);
    }

    ServeBench with(String tool, ToolConfig config, ToolHandler handler) {
        server().registerTool(tool, config, handler);
        return this;
    }

    /** Starts it and connects a client of the legacy era, unless it runs already. */
    ServedClient legacy() throws IOException, InterruptedException {
        return ServedClient.legacy(connected());
    }

    /** The same with a client of the modern era. */
    ServedClient modern() throws IOException, InterruptedException {
        return ServedClient.modern(connected());
    }

    /** Starts it unless it runs already; a connection on which nothing was said yet. */
    io.mcpbridge.testkit.RawClient connected() throws IOException, InterruptedException {
        if (server().addresses().isEmpty()) {
            server().start();
        }
        return listener.connect();
    }

    List<Record> records() {
        return audit.records();
    }

    @Override
    public void close() {
        server().close();
        environment.close();
    }
}
