package io.mcpbridge.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a test would leave behind: threads of ours, child processes, open files.
 *
 * <p>Take one before the test acts; {@link #assertNothingLeft} compares afterwards. Files are counted where the
 * system tells ({@code /proc/self/fd}); a test beside it in the same process disturbs the count.
 */
public final class Residue {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    private final Set<Long> threads;
    private final Set<Long> children;
    private final long files;

    private Residue(Set<Long> threads, Set<Long> children, long files) {
        this.threads = threads;
        this.children = children;
        this.files = files;
    }

    /** What is there now. */
    public static Residue now() {
        return new Residue(ids(threadsOfOurs()), children(), files());
    }

    /**
     * Waits until no thread whose name begins with {@code mcp-bridge} and no child process is there that was
     * not there before.
     *
     * @throws AssertionError that names what is left
     */
    public void assertNothingLeft() {
        assertNothingLeft(Eventually.PATIENCE);
    }

    /** The same, with more or less patience than usual. */
    public void assertNothingLeft(Duration patience) {
        Eventually.holds(patience, () -> "new threads and children to end; left are " + left(), () -> left().isEmpty());
    }

    /**
     * The same, and no more open files than before.
     *
     * @throws AssertionError that names what is left
     */
    public void assertNothingLeftNorOpen() {
        assertNothingLeft();
        Eventually.holds(() -> files() + " open files to become " + files, () -> files() <= files);
    }

    private List<String> left() {
        var left = new ArrayList<String>();
        for (var thread : threadsOfOurs()) {
            if (!threads.contains(thread.getId())) {
                left.add("thread " + thread.getName());
            }
        }
        for (var child : children()) {
            if (!children.contains(child)) {
                left.add("child process " + child);
            }
        }
        return left;
    }

    private static List<Thread> threadsOfOurs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mcp-bridge"))
                .toList();
    }

    private static Set<Long> ids(List<Thread> some) {
        return some.stream().map(Thread::getId).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Long> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long files() {
        if (!Files.isDirectory(OPEN_FILES)) {
            return 0;
        }
        try (var open = Files.list(OPEN_FILES)) {
            return open.count();
        } catch (IOException unreadable) {
            return 0;
        }
    }
}
