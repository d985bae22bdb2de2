package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A process of a test, with what it prints; closing it kills it. */
public final class Program implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 40;

    private final Process process;
    private final Path output;
    private final Path errors;

    private Program(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    public static Program start(List<String> command) {
        try {
            var output = Files.createTempFile("peer", ".out");
            var errors = Files.createTempFile("peer", ".err");
            var builder = new ProcessBuilder(command)
                    .redirectInput(Redirect.PIPE)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().putAll(Mark.environment());
            return new Program(builder.start(), output, errors);
        } catch (IOException cannotStart) {
            throw new UncheckedIOException(cannotStart);
        }
    }

    /** Ends its standard input, as a client does that goes away. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Asks it to end in good order. */
    void terminate() {
        process.destroy();
    }

    /** Waits until the program has ended well, and returns what it printed. */
    public String awaitOutput() throws InterruptedException {
        assertThat(awaitExit())
                .as("the exit code; its errors: %s", text(errors))
                .isZero();
        return text(output);
    }

    /** Waits until the program has ended, and returns its exit code. */
    public int awaitExit() throws InterruptedException {
        var hasEnded = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(hasEnded).as("it ends in time; its errors: %s", text(errors)).isTrue();
        return process.exitValue();
    }

    /** Waits for an error line that begins with {@code prefix}, and returns the rest of it. */
    public String awaitError(String prefix) {
        return waiting("the line '%s…'".formatted(prefix))
                .until(() -> line(text(errors), prefix), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for a line of its output that begins with {@code prefix}, and returns the rest of it. */
    String awaitLine(String prefix) {
        return Awaitility.await("the line '%s…'; its errors: %s".formatted(prefix, text(errors)))
                .atMost(Duration.ofSeconds(TIMEOUT_SECONDS))
                .until(
                        () -> {
                            var wasAlive = process.isAlive();
                            var line = line(text(output), prefix);
                            assertThat(wasAlive || line.isPresent())
                                    .as("it prints that before it ends; its errors: %s", text(errors))
                                    .isTrue();
                            return line;
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for an error line that contains {@code part}. */
    void awaitErrorWith(String part) {
        waiting("an error line with '%s'".formatted(part))
                .until(() -> text(errors).contains(part));
    }

    /** More patient than for events in this process, since a busy machine is slow to start another. */
    private ConditionFactory waiting(String what) {
        return Awaitility.await(what)
                .atMost(Duration.ofSeconds(TIMEOUT_SECONDS))
                .failFast(() -> assertThat(process.isAlive())
                        .as("it runs; its errors: %s", text(errors))
                        .isTrue());
    }

    private static Optional<String> line(String text, String prefix) {
        // The last piece may be a line half written.
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has printed as errors so far. */
    public String errors() {
        return text(errors);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Kills it and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
        try {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        } catch (IOException undeletable) {
            throw new UncheckedIOException(undeletable);
        }
    }
}
