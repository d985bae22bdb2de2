package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.session.Backoff;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The processes of one kind. For one thread at a time: {@link ChildPool} guards it. */
final class Shelf<C extends PooledChild> {
    private final ChildKind kind;
    private final Caller caller;
    private final Backoff backoff;
    private final Deque<C> idle = new ArrayDeque<>();
    private int starting;
    private int waiting;
    private int busy;
    private long lastUsed;
    private boolean isTryingAgain;

    Shelf(ChildKind kind, Caller caller, Backoff backoff) {
        this.kind = kind;
        this.caller = caller;
        this.backoff = backoff;
    }

    ChildKind kind() {
        return kind;
    }

    /** One of the callers whose processes these are. */
    Caller caller() {
        return caller;
    }

    Backoff backoff() {
        return backoff;
    }

    /** Those that are ready for a call, the oldest first. */
    Deque<C> idle() {
        return idle;
    }

    /** Takes the oldest that is ready; one that has ended stays until that is told. */
    @Nullable
    C poll() {
        for (Iterator<C> each = idle.iterator(); each.hasNext(); ) {
            var child = each.next();
            if (child.failure().isEmpty()) {
                each.remove();
                return child;
            }
        }
        return null;
    }

    void used(long now) {
        lastUsed = now;
    }

    long lastUsed() {
        return lastUsed;
    }

    int starting() {
        return starting;
    }

    void starting(int change) {
        starting += change;
    }

    int waiting() {
        return waiting;
    }

    void waiting(int change) {
        waiting += change;
    }

    int busy() {
        return busy;
    }

    void busy(int change) {
        busy += change;
    }

    /** Whether a call that comes now could not hope for a process. */
    boolean isHopeless() {
        return starting <= waiting && busy == 0 && backoff.holdsOff();
    }

    /** Whether it is of use to nobody now, save for what is ready. */
    boolean isQuiet() {
        return starting == 0 && waiting == 0 && busy == 0;
    }

    /** How many more are to be started ahead where there are to be {@code warm}. */
    int missing(int warm) {
        return backoff.holdsOff() ? 0 : warm - idle.size() - Math.max(0, starting - waiting);
    }

    /** Whether nobody sees to another try yet; the caller does from here on. */
    boolean tryAgain() {
        var isFirst = !isTryingAgain;
        isTryingAgain = true;
        return isFirst;
    }

    void tried() {
        isTryingAgain = false;
    }
}
