package io.mcpbridge.examples;

import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.workers.SandboxedCall;
import io.mcpbridge.workers.SandboxedTool;
import io.mcpbridge.workers.ToolLimits;
import io.mcpbridge.workers.WorkerOptions;
import io.mcpbridge.workers.WorkerPool;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Serves a tool that runs in a separate process: a pattern that never ends affects its own call only. */
public final class SandboxedToolExample {
    private static final String TEXT_AND_PATTERN = """
        {"type": "object", "properties": {"text": {"type": "string"}, "pattern": {"type": "string"}},
            "required": ["text", "pattern"]}\
        """;

    private SandboxedToolExample() {}

    /** Whether a text matches a pattern of the client. */
    public static final class Matches implements SandboxedTool {

        @Override
        public Object run(SandboxedCall call) {
            var pattern = Pattern.compile(String.valueOf(call.arguments().get("pattern")));
            return pattern.matcher(String.valueOf(call.arguments().get("text"))).matches();
        }
    }

    /** Serves a client on standard input and output until it disconnects. */
    public static void main(String[] arguments) throws InterruptedException {
        var options = WorkerOptions.builder().warm(2).build();
        var limits = ToolLimits.DEFAULTS.withMaxMemoryMb(128).withMaxExecution(Duration.ofSeconds(2));
        try (var pool = WorkerPool.open(options);
                var server = ToolServer.create(ToolServerOptions.builder()
                        .version("1.0")
                        .listen("stdio", Settings.of(Map.of()))
                        .build())) {
            server.registerTool(
                    "matches",
                    ToolConfig.of(TEXT_AND_PATTERN).asReadOnly().inParallel(),
                    pool.handler(Matches.class, limits));
            server.start();
            server.awaitStop();
        }
    }
}
