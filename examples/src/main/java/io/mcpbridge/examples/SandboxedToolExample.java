package io.mcpbridge.examples;

import io.mcpbridge.sandbox.worker.SandboxedCall;
import io.mcpbridge.sandbox.worker.SandboxedTool;
import io.mcpbridge.sandbox.worker.ToolLimits;
import io.mcpbridge.sandbox.worker.WorkerOptions;
import io.mcpbridge.sandbox.worker.WorkerPool;
import io.mcpbridge.serve.ServerOptions;
import io.mcpbridge.serve.ToolConfig;
import io.mcpbridge.serve.ToolServer;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/** Serves a tool that runs in a process of its own: a pattern that never ends costs its own call alone. */
public final class SandboxedToolExample {
    private static final String TEXT_AND_PATTERN = """
        {"type": "object", "properties": {"text": {"type": "string"}, "pattern": {"type": "string"}},
            "required": ["text", "pattern"]}\
        """;

    private SandboxedToolExample() {}

    /** Whether a text matches a pattern that the client brings. */
    public static final class Matches implements SandboxedTool {

        @Override
        public Object run(SandboxedCall call) {
            var pattern = Pattern.compile(String.valueOf(call.arguments().get("pattern")));
            return pattern.matcher(String.valueOf(call.arguments().get("text"))).matches();
        }
    }

    /** Serves a client on standard input and output until it has left. */
    public static void main(String[] arguments) throws InterruptedException {
        var options = WorkerOptions.builder().warm(2).build();
        var limits = ToolLimits.DEFAULTS.withMaxMemoryMb(128).withMaxExecution(Duration.ofSeconds(2));
        try (var pool = WorkerPool.open(options);
                var server = ToolServer.create(ServerOptions.builder()
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
