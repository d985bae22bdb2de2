package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tries means by starting a small shell that looks whether it is held. For one thread. */
final class Probe {
    /** A few milliseconds will do; a machine that is busy starting must not be taken for one that cannot. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final int MOST_WORDS = 300;
    private static final int UNHELD = 99;

    private final ProcessLauncher plain;
    private final String searchPath;

    Probe(ProcessLauncher plain, String searchPath) {
        this.plain = plain;
        this.searchPath = searchPath;
    }

    /**
     * Why these means do not work here; empty if they do.
     *
     * @param limits that the shell is held to
     * @param test what the shell asks, which is true for one that is held
     */
    Optional<String> failure(Means means, Limits limits, String test) {
        var missing = means.missing();
        if (missing.isPresent()) {
            return missing;
        }
        var shell = Command.of(List.of("sh", "-c", test + " || exit " + UNHELD), Map.of("PATH", searchPath));
        try {
            return run(plain.launch(means.wrap(shell.within(limits)))).map(why -> means.name() + ": " + why);
        } catch (TransportException failed) {
            return Optional.of(means.name() + ": " + failed.failure().message());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of(means.name() + ": it was not tried to the end");
        }
    }

    private static Optional<String> run(ChildProcess child) throws InterruptedException {
        try {
            var exit = child.onExit().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return exit == 0 ? Optional.empty() : Optional.of(words(child, exit));
        } catch (TimeoutException stuck) {
            return Optional.of("it did not end within %d ms".formatted(PATIENCE.toMillis()));
        } catch (ExecutionException failed) {
            return Optional.of(String.valueOf(failed.getCause()));
        } finally {
            child.end(Duration.ZERO);
        }
    }

    private static String words(ChildProcess child, int exit) {
        if (exit == UNHELD) {
            return "it runs, but holds nothing";
        }
        try {
            var said = new String(child.stderr().readNBytes(MOST_WORDS), StandardCharsets.UTF_8).strip();
            return said.isEmpty() ? "it ended with exit code " + exit : said.replaceAll("\\s+", " ");
        } catch (IOException gone) {
            return "it ended with exit code " + exit;
        }
    }
}
