package io.mcpbridge.sandbox.worker.internal.child;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The threads of this process. */
final class Threads {
    private static final int USUAL = 32;
    private static final ThreadGroup TOP = top();

    private Threads() {}

    private static ThreadGroup top() {
        var group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** All that run now. */
    static List<Thread> all() {
        return in(TOP);
    }

    /** Those of a group and of the groups in it. */
    static List<Thread> in(ThreadGroup group) {
        var found = new Thread[USUAL];
        var count = group.enumerate(found);
        while (count == found.length) {
            found = new Thread[2 * found.length];
            count = group.enumerate(found);
        }
        return Arrays.stream(found).filter(Objects::nonNull).toList();
    }
}
