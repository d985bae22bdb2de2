package io.mcpbridge.retry.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The calls for which a {@link SharedCall} is made, as long as it has no outcome. Any thread. */
final class Members {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Member> all = new ArrayList<>(2);

    @GuardedBy("lock")
    private boolean isOver;

    /** @param most how many there may be */
    Members(Member first, int most) {
        this.most = most;
        this.all.add(first);
    }

    /** How it went for a call that wanted to join. */
    enum Joining {
        JOINED,
        FULL,
        OVER
    }

    /** How it went for one that wanted to leave. */
    enum Leaving {
        /** It is not there any more. */
        GONE,
        LEFT,
        /** It is the last one, so it stays, and nobody joins it any more. */
        LAST
    }

    Joining join(Member member) {
        lock.lock();
        try {
            if (isOver) {
                return Joining.OVER;
            }
            if (all.size() >= most) {
                return Joining.FULL;
            }
            all.add(member);
            return Joining.JOINED;
        } finally {
            lock.unlock();
        }
    }

    Leaving leave(Member member) {
        lock.lock();
        try {
            if (!all.contains(member)) {
                return Leaving.GONE;
            }
            if (all.size() == 1) {
                isOver = true;
                return Leaving.LAST;
            }
            all.remove(member);
            return Leaving.LEFT;
        } finally {
            lock.unlock();
        }
    }

    /** Those that are there now. */
    List<Member> now() {
        lock.lock();
        try {
            return List.copyOf(all);
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody joins any more. */
    boolean isOver() {
        lock.lock();
        try {
            return isOver;
        } finally {
            lock.unlock();
        }
    }

    /** Lets nobody join any more. */
    void close() {
        lock.lock();
        try {
            isOver = true;
        } finally {
            lock.unlock();
        }
    }

    /** The same, and takes them out. */
    List<Member> takeAll() {
        lock.lock();
        try {
            isOver = true;
            var taken = all;
            all = List.of();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** One of those for whom the call is made. Equal to itself alone. */
    static final class Member {
        final Call call;
        final Reply reply;
        volatile Cancellation.Registration link = () -> {};

        Member(Call call, Reply reply) {
            this.call = call;
            this.reply = reply;
        }

        /** Whether it would wait for nothing more. */
        boolean isLate() {
            return call.cancellation().isCancelled() || call.deadline().isExpired();
        }
    }
}
