package io.mcpbridge.testkit.contract;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Commands for tests of launchers, readers of their output, and a view of the system's processes. */
public final class LauncherFixture {
    private static final Map<String, String> VARIABLES =
            Map.of("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));

    private LauncherFixture() {}

    /** A shell that runs {@code script}, with {@code arguments} from {@code $1} on. */
    public static LaunchCommand shell(String script, String... arguments) {
        var words = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        words.addAll(List.of(arguments));
        return LaunchCommand.of(words, VARIABLES);
    }

    public static LaunchCommand command(String... words) {
        return LaunchCommand.of(List.of(words), VARIABLES);
    }

    /** A number that no other process has among its arguments; also a suitable duration for {@code sleep}. */
    public static String unusedSeconds() {
        return Long.toString(1_000_000 + System.nanoTime() % 1_000_000_000L);
    }

    /** Reads all output of the child on this stream, until it ends. */
    public static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    public static BufferedReader lines(ChildProcess child) {
        return new BufferedReader(new InputStreamReader(child.stdout(), StandardCharsets.UTF_8));
    }

    public static int exitCode(ChildProcess child) {
        return child.onExit()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** The processes of this machine that have {@code word} as one of their arguments, without zombies. */
    public static List<Long> processesWith(String word) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> arguments(pid).contains(word))
                .toList();
    }

    /** The arguments of a process; empty if it has ended. */
    public static List<String> arguments(long pid) {
        try {
            var line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(line.split("\0", -1));
        } catch (IOException gone) {
            return List.of();
        }
    }

    /**
     * Whether the system still has a thread of this process with this name, of up to 15 characters. A joined thread
     * remains there for a moment.
     */
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
