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
 * Detects leaked threads, child processes and open files of a test.
 *
 * <p>Create one before the test acts; {@link #assertNothingLeft} compares afterwards. Open files are counted in
 * {@code /proc/self/fd}, if the system has it; tests that run in the same process at the same time disturb the count.
 */
public final class LeakCheck {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    private final Set<Long> threads;
    private final Set<Long> children;
    private final long files;

    private LeakCheck(Set<Long> threads, Set<Long> children, long files) {
        this.threads = threads;
        this.children = children;
        this.files = files;
    }

    /** Takes a snapshot. */
    public static LeakCheck now() {
        return new LeakCheck(ids(threadsOfOurs()), children(), files());
    }

    /**
     * Waits until there is no new thread whose name begins with {@code mcp-bridge} and no new child process.
     *
     * @throws AssertionError that names the remaining ones
     */
    public void assertNothingLeft() {
        assertNothingLeft(Eventually.TIMEOUT);
    }

    /** Like {@link #assertNothingLeft()}, with another time-out. */
    public void assertNothingLeft(Duration timeout) {
        Eventually.holds(timeout, () -> "new threads and children to end; left are " + left(), () -> left().isEmpty());
    }

    /**
     * Like {@link #assertNothingLeft()}, and also requires that there are no more open files than before.
     *
     * @throws AssertionError that names the remaining threads and processes, or the number of files
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
