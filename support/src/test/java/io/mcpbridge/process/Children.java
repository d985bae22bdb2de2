package io.mcpbridge.process;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** What tests of child processes share: commands, and a look at the system's list of processes. */
final class Children {
    private static final Map<String, String> VARIABLES =
            Map.of("PATH", Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin:/bin"));

    private Children() {}

    static LaunchCommand shell(String script) {
        return command("sh", "-c", script);
    }

    static LaunchCommand command(String... words) {
        return LaunchCommand.of(List.of(words), VARIABLES);
    }

    /** A number that no other process has among its arguments; a good time for {@code sleep}. */
    static String unusedSeconds() {
        return Long.toString(1_000_000 + System.nanoTime() % 1_000_000_000L);
    }

    static String output(ChildProcess child) throws IOException {
        return new String(child.stdout().readAllBytes(), StandardCharsets.UTF_8);
    }

    static int exitCode(ChildProcess child) {
        return child.onExit()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** How many processes have {@code word} among their arguments. */
    static long running(String word) {
        try (var folders = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            long count = 0;
            for (var folder : folders) {
                count += arguments(folder).contains(word) ? 1 : 0;
            }
            return count;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> arguments(Path folder) {
        try {
            var line = Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(line.split("\0", -1));
        } catch (IOException gone) {
            return List.of();
        }
    }

    /** Whether the system still has a thread of ours, which is so for a moment after it was joined; up to 15 letters. */
    static boolean hasThread(String name) {
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var thread : threads) {
                if (name.equals(threadName(thread))) {
                    return true;
                }
            }
            return false;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String threadName(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
