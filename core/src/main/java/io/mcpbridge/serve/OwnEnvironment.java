package io.mcpbridge.serve;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The environment of a server: one that was handed in and stays, or its own, which ends with it. */
final class OwnEnvironment implements AutoCloseable {
    private final Environment environment;
    private final @Nullable Runnable end;

    private OwnEnvironment(Environment environment, @Nullable Runnable end) {
        this.environment = environment;
        this.end = end;
    }

    static OwnEnvironment of(ServerOptions options) {
        return options.environment()
                .map(given -> new OwnEnvironment(given, null))
                .orElseGet(() -> make(options.logger()));
    }

    private static OwnEnvironment make(System.Logger logger) {
        var timekeeper = new SystemTimekeeper();
        var workers = workers();
        var launcher = new PlainProcessLauncher();
        var environment =
                Environment.with(timekeeper, workers, launcher).logger(logger).build();
        return new OwnEnvironment(environment, () -> {
            launcher.close();
            workers.shutdown();
            timekeeper.close();
        });
    }

    private static ExecutorService workers() {
        return Executors.newCachedThreadPool(work -> {
            var thread = new Thread(work, "mcp-bridge-serve");
            thread.setDaemon(true);
            return thread;
        });
    }

    Environment environment() {
        return environment;
    }

    @Override
    public void close() {
        if (end != null) {
            end.run();
        }
    }
}
