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
 * Detects leaked threads, child processes, sockets and open files of a test.
 *
 * <p>Create one before the test acts; {@link #assertNothingLeft} compares afterwards. Open files are counted in
 * {@code /proc/self/fd}, if the system has it; tests that run in the same process at the same time disturb the count.
 */
public final class LeakCheck {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    /** Threads of the JDK's pools, which end by garbage collection or never, and of JUnit. */
    private static final List<String> SHARED_THREADS = List.of("ForkJoinPool.commonPool", "HttpClient-", "junit");

    private final Set<Long> threads;
    private final Set<String> sockets;
    private final Set<Long> children;
    private final long files;

    private LeakCheck(Set<Long> threads, Set<String> sockets, Set<Long> children, long files) {
        this.threads = threads;
        this.sockets = sockets;
        this.children = children;
        this.files = files;
    }

    /** Takes a snapshot. */
    public static LeakCheck now() {
        return new LeakCheck(ids(threads()), sockets(), children(), openFiles().size());
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
     * Like {@link #assertNothingLeft(Duration)}, for threads of any name, except those of the JDK and of JUnit, and for
     * sockets. A test calls it after it has closed its own peers.
     *
     * @throws AssertionError that names the remaining ones; sockets by their inode
     */
    public void assertAllReleased(Duration timeout) {
        Eventually.holds(
                timeout,
                () -> "new threads and children to end and new sockets to be closed; left are " + unreleased(),
                () -> unreleased().isEmpty());
    }

    /**
     * Like {@link #assertNothingLeft()}, and also requires that there are no more open files than before.
     *
     * @throws AssertionError that names the remaining threads and processes, or the number of files
     */
    public void assertNothingLeftNorOpen() {
        assertNothingLeft();
        Eventually.holds(
                () -> openFiles().size() + " open files to become " + files,
                () -> openFiles().size() <= files);
    }

    private List<String> unreleased() {
        var left = new ArrayList<String>(left(threads()));
        for (var socket : sockets()) {
            if (!sockets.contains(socket)) {
                left.add(socket);
            }
        }
        return left;
    }

    private List<String> left() {
        return left(threads().stream()
                .filter(thread -> thread.getName().startsWith("mcp-bridge"))
                .toList());
    }

    private List<String> left(List<Thread> running) {
        var left = new ArrayList<String>();
        for (var thread : running) {
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

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !isOfTheSystem(thread))
                .filter(thread -> SHARED_THREADS.stream()
                        .noneMatch(prefix -> thread.getName().startsWith(prefix)))
                .toList();
    }

    /** Whether the JDK itself runs the thread, in a group above that of the program; true if it has just ended. */
    private static boolean isOfTheSystem(Thread thread) {
        var group = thread.getThreadGroup();
        return group == null
                || group.getName().equals("system")
                || group.getName().equals("InnocuousThreadGroup");
    }

    private static Set<String> sockets() {
        return openFiles().stream()
                .filter(target -> target.startsWith("socket:"))
                .collect(Collectors.toSet());
    }

    /** The targets of the open files; empty if the system does not list them. */
    private static List<String> openFiles() {
        if (!Files.isDirectory(OPEN_FILES)) {
            return List.of();
        }
        try (var open = Files.list(OPEN_FILES)) {
            return open.map(LeakCheck::target).toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
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
}
