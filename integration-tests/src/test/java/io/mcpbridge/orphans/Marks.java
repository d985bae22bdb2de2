package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Finds processes by a word in their environment, which all that stem from a marked one have too, whatever else they do.
 * Zombies have none any more.
 */
final class Marks {
    /** The variable. */
    static final String NAME = "MCPBRIDGE_SANDBOX";

    private static final Path PROCESSES = Path.of("/proc");

    private final String run;
    private final Pattern pattern;

    private Marks(String run) {
        this.run = run;
        this.pattern = Pattern.compile("(?:^|\0)" + NAME + "=" + run + "\\.(\\w+)\\.(\\w+)\0");
    }

    /** Marks that no process has yet. */
    static Marks fresh() {
        return new Marks(UUID.randomUUID().toString());
    }

    /** Those of a process that knows their {@link #run}. */
    static Marks of(String run) {
        return new Marks(run);
    }

    String run() {
        return run;
    }

    /** The value of the variable for a child. */
    String mark(SandboxLevel level, String child) {
        return "%s.%s.%s".formatted(run, level, child);
    }

    /** How many there are now: by level, and by child. */
    Map<SandboxLevel, Map<String, Integer>> counts() {
        var counts = new TreeMap<SandboxLevel, Map<String, Integer>>();
        for (var each : found()) {
            counts.computeIfAbsent(each.level(), level -> new TreeMap<>()).merge(each.child(), 1, Integer::sum);
        }
        return counts;
    }

    /** Kills what is left. */
    void killAll() {
        found().forEach(each -> ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }

    private record Found(long pid, SandboxLevel level, String child) {}

    private List<Found> found() {
        var all = new ArrayList<Found>();
        try (var folders = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                var match = pattern.matcher(environment(folder));
                if (match.find()) {
                    var pid = Long.parseLong(String.valueOf(folder.getFileName()));
                    all.add(new Found(pid, SandboxLevel.valueOf(match.group(1)), match.group(2)));
                }
            }
            return all;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String environment(Path folder) {
        try {
            return Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Processes of this program that have ended and that it has not collected. */
    static List<String> zombies() {
        return ProcessHandle.current()
                .children()
                .map(child -> stat(child.pid()))
                .filter(line -> line.contains(") Z "))
                .toList();
    }

    private static String stat(long pid) {
        try {
            return Files.readString(PROCESSES.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
