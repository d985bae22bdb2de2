package io.mcpbridge.workers;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryListener;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server with the tool {@code odd} in a pool, and a client that calls it. For one thread. */
final class WorkerPoolFixture implements AutoCloseable {
    private final InMemoryListener listener = new InMemoryListener();
    private final RecordingAuditSink audit = new RecordingAuditSink();
    private final ToolServer server;
    final WorkerPool pool;
    private final RawClient client;
    private final Runnable closing;
    private int lastId;

    /** With plain processes, which are the quickest. */
    WorkerPoolFixture(WorkerOptions.Builder options) throws IOException, InterruptedException {
        this(StandardEnvironment.open(), options);
    }

    private WorkerPoolFixture(StandardEnvironment environment, WorkerOptions.Builder options)
            throws IOException, InterruptedException {
        this(WorkerPool.open(options.build(), environment.environment()), environment::close);
    }

    WorkerPoolFixture(WorkerPool pool) throws IOException, InterruptedException {
        this(pool, () -> {});
    }

    private WorkerPoolFixture(WorkerPool pool, Runnable closing) throws IOException, InterruptedException {
        this.closing = closing;
        this.pool = pool;
        this.server = ToolServer.create(ToolServerOptions.builder()
                .version("1")
                .listen(listener)
                .auditSink(audit)
                .logger(new RecordingLogger())
                .withoutGlobalHandlers()
                .build());
        add("odd", ToolLimits.DEFAULTS);
        add("hasty", ToolLimits.DEFAULTS.withMaxExecution(Duration.ofMillis(250)));
        server.start();
        client = listener.connect();
        client.send(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                        + "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"capabilities\":{}}}");
        client.receive();
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    void add(String name, ToolLimits limits) {
        add(name, MisbehavingTool.class, limits);
    }

    void add(String name, Class<? extends SandboxedTool> tool, ToolLimits limits) {
        server.registerTool(name, ToolConfig.of("{\"type\":\"object\"}").inParallel(), pool.handler(tool, limits));
    }

    /** What a call of {@code odd} returns. */
    Object does(String what) throws IOException {
        return does(what, "");
    }

    Object does(String what, Object value) throws IOException {
        return data(call("odd", what, value));
    }

    /** What a call of {@code odd} fails with. */
    Map<String, Object> fails(String what) throws IOException {
        return error(call("odd", what, ""));
    }

    /** The envelope of a call. */
    Map<String, @Nullable Object> call(String tool, String what, Object value) throws IOException {
        begin(tool, what, value);
        return answer();
    }

    /** Sends a call and returns its id. */
    int begin(String tool, String what, Object value) throws IOException {
        var params = Map.of("name", tool, "arguments", Map.of("do", what, "value", value));
        lastId++;
        client.send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":%s}"
                .formatted(lastId, Json.of(params).text()));
        return lastId;
    }

    /** Withdraws a call. */
    void cancel(int id) throws IOException {
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
                .formatted(id));
    }

    /** The envelope of the next answer. */
    Map<String, @Nullable Object> answer() throws IOException {
        var message = Json.parse(client.receive()).asMap();
        while (!message.containsKey("id")) {
            message = Json.parse(client.receive()).asMap();
        }
        var result = members(message.get("result"));
        return members(result.get("structuredContent"));
    }

    static Object data(Map<String, @Nullable Object> envelope) {
        if (!Boolean.TRUE.equals(envelope.get("ok"))) {
            throw new AssertionError("the call failed: " + envelope);
        }
        return Objects.requireNonNull(envelope.get("data"));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Map<String, Object> error(Map<String, @Nullable Object> envelope) {
        return (Map) members(envelope.get("error"));
    }

    /** The words of an error. */
    static String words(Map<String, Object> error) {
        return String.valueOf(error.get("message"));
    }

    /** The code of ours in an error. */
    static Object code(Map<String, Object> error) {
        return Objects.requireNonNull(members(error.get("details")).get("code"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> members(@Nullable Object value) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(value);
    }

    /** The exits of calls, as the audit has them. */
    List<ToolExit> exits() {
        return audit.records().stream()
                .filter(ToolExit.class::isInstance)
                .map(ToolExit.class::cast)
                .toList();
    }

    /** What the audit has of the call that was answered last, and has failed. */
    Failure recorded() {
        var exits = exits();
        return ((Outcome.Failed) exits.get(exits.size() - 1).outcome()).failure();
    }

    void awaitIdle(int workers) {
        Eventually.holds(() -> workers + " idle workers in " + pool.state(), () -> {
            var state = pool.state();
            return state.idle() == workers && state.starting() == 0 && state.busy() == 0;
        });
    }

    @Override
    public void close() {
        server.close();
        pool.close();
        closing.run();
    }
}
