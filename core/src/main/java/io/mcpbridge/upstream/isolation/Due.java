package io.mcpbridge.upstream.isolation;

import java.util.ArrayList;
import java.util.List;

/** What follows from a step of a {@link ChildPool}, which is done without its lock. For one thread. */
final class Due {
    private final List<Runnable> actions = new ArrayList<>(2);

    void add(Runnable action) {
        actions.add(action);
    }

    void run() {
        actions.forEach(Runnable::run);
    }
}
