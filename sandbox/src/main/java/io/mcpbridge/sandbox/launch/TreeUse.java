package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.regex.Pattern;

/** What a process and all that stem from it use at one moment, read from {@code /proc}. */
final class TreeUse {
    private static final Path PROCESSES = Path.of("/proc");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d{1,15}) kB");
    private static final Pattern SHARE = Pattern.compile("(?m)^Pss:\\s+(\\d{1,15}) kB");
    private static final int MIB = 1 << 20;

    /** A bomb is known for one long before it was counted to its end. */
    private static final int MOST = 10_000;

    private final List<Path> members = new ArrayList<>();
    private final int guards;

    private TreeUse(int guards) {
        this.guards = guards;
    }

    /**
     * Of what is there now.
     *
     * @param root the process that was started
     * @param guards how many processes of the tree are not the child's; those that come first
     */
    static TreeUse of(long root, int guards) {
        var use = new TreeUse(guards);
        use.add(PROCESSES.resolve(Long.toString(root)));
        return use;
    }

    /** What is beyond the limits, in a sentence; empty if nothing is. */
    Optional<String> overrun(Limits limits) {
        return tooMany(limits.processes())
                .or(() -> tooMuch(limits.memoryBytes()))
                .or(() -> members.stream()
                        .skip(guards)
                        .limit(1)
                        .flatMap(program -> CpuUse.overrun(program, limits.cpuTime()).stream())
                        .findFirst());
    }

    /** Ends those of the other processes that compute for longer than each of them may; says so of one of them. */
    Optional<String> endBusy(Duration most) {
        if (most.isZero()) {
            return Optional.empty();
        }
        var words = new ArrayList<String>();
        for (var member : members.subList(Math.min(members.size(), guards + 1), members.size())) {
            CpuUse.end(member, most).ifPresent(words::add);
        }
        return words.stream().findFirst();
    }

    private Optional<String> tooMany(int most) {
        var count = members.size() - guards;
        return most > 0 && count > most
                ? Optional.of("it had %d processes; 'max-processes' is %d".formatted(count, most))
                : Optional.empty();
    }

    /** Pages that processes share are counted once, which takes longer to find out, so only where it matters. */
    private Optional<String> tooMuch(long most) {
        if (most == 0 || sum("status", RESIDENT) <= most) {
            return Optional.empty();
        }
        var shares = sum("smaps_rollup", SHARE);
        return shares <= most
                ? Optional.empty()
                : Optional.of("it used %d MiB of memory; 'max-memory' is %d MiB".formatted(shares / MIB, most / MIB));
    }

    private long sum(String file, Pattern pattern) {
        long kilobytes = 0;
        for (var member : members) {
            var found = pattern.matcher(text(member.resolve(file)));
            kilobytes += found.find() ? Long.parseLong(found.group(1)) : 0;
        }
        return kilobytes << 10;
    }

    private void add(Path process) {
        members.add(process);
        // Grows while it is walked through.
        for (int i = 0; i < members.size() && i < MOST; i++) {
            addChildren(members.get(i));
        }
    }

    private void addChildren(Path process) {
        try (var threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (var thread : threads) {
                var children = new StringTokenizer(text(thread.resolve("children")));
                while (children.hasMoreTokens()) {
                    members.add(PROCESSES.resolve(children.nextToken()));
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // It has ended meanwhile, and so has no children.
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
