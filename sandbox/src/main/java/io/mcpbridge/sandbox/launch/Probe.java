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

    /** Why means do not work; too slow if they may do so when the machine is less busy. */
    record Failure(String reason, boolean wasTooSlow) {
        private static Failure of(String reason) {
            return new Failure(reason, false);
        }

        private Failure with(Means means) {
            return new Failure(means.name() + ": " + reason, wasTooSlow);
        }
    }

    /**
     * Why these means do not work here; empty if they do.
     *
     * @param limits that the shell is held to
     * @param test what the shell asks, which is true for one that is held
     */
    Optional<Failure> failure(Means means, Limits limits, String test) {
        var missing = means.missing();
        if (missing.isPresent()) {
            return missing.map(Failure::of);
        }
        var shell = Command.of(List.of("sh", "-c", test + " || exit " + UNHELD), Map.of("PATH", searchPath));
        try {
            return run(plain.launch(means.wrap(shell.within(limits)))).map(why -> why.with(means));
        } catch (TransportException failed) {
            return Optional.of(Failure.of(failed.failure().message()).with(means));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.of(new Failure("it was not tried to the end", true).with(means));
        }
    }

    private static Optional<Failure> run(ChildProcess child) throws InterruptedException {
        try {
            var exit = child.onExit().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return exit == 0 ? Optional.empty() : Optional.of(Failure.of(words(child, exit)));
        } catch (TimeoutException stuck) {
            return Optional.of(new Failure("it did not end within %d ms".formatted(PATIENCE.toMillis()), true));
        } catch (ExecutionException failed) {
            return Optional.of(Failure.of(String.valueOf(failed.getCause())));
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
