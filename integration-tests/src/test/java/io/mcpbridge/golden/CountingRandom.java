package io.mcpbridge.golden;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Counts from 1, so that ids show in which order they were made; what is drawn within bounds is half of them. The audit,
 * which writes in its own time, has a count of its own.
 */
final class CountingRandom implements RandomGenerator {
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong auditCount = new AtomicLong();

    @Override
    public long nextLong() {
        return (isOfTheAudit() ? auditCount : count).incrementAndGet();
    }

    private static boolean isOfTheAudit() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("io.mcpbridge.audit.")));
    }

    @Override
    public long nextLong(long bound) {
        return bound / 2;
    }
}
