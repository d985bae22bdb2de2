package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of one session that were withdrawn and that its server may go on with: what it says of them must not reach
 * another client. Any thread.
 *
 * <p>The late answer to a call ends this for it. A server need not give one, so after {@link #LONGEST} it is over too.
 */
final class Aftermath {
    /** How long a server may go on with a request that was withdrawn, and speak of it. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    /** How many are remembered; most of them are never answered. */
    private static final int REMEMBERED = 1_024;

    private record Trace(String client, Deadline until) {}

    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<MessageId, Trace> traces = new LinkedHashMap<>();

    /** Spares the lock where nothing was ever withdrawn. */
    private volatile boolean isUsed;

    Aftermath(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** The call of {@code client} with this id on the wire is being withdrawn; the empty string for one of our own. */
    void begin(MessageId id, String client) {
        lock.lock();
        try {
            isUsed = true;
            traces.put(id, new Trace(client, Deadline.after(LONGEST, timekeeper)));
            if (traces.size() > REMEMBERED) {
                traces.remove(traces.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The server has answered that call after all or was never sent it; false if there is none with this id. */
    boolean end(MessageId id) {
        if (!isUsed) {
            return false;
        }
        lock.lock();
        try {
            return traces.remove(id) != null;
        } finally {
            lock.unlock();
        }
    }

    /** A client goes by another name from now on. */
    void rename(String from, String to) {
        if (!isUsed) {
            return;
        }
        lock.lock();
        try {
            traces.replaceAll((id, trace) -> trace.client.equals(from) ? new Trace(to, trace.until) : trace);
        } finally {
            lock.unlock();
        }
    }

    /** Whether what the server says may belong to a withdrawn call of somebody other than {@code client}. */
    boolean concernsOthersThan(String client) {
        if (!isUsed) {
            return false;
        }
        lock.lock();
        try {
            return traces.values().stream()
                    .anyMatch(trace ->
                            !trace.client.isEmpty() && !trace.client.equals(client) && !trace.until.isExpired());
        } finally {
            lock.unlock();
        }
    }
}
