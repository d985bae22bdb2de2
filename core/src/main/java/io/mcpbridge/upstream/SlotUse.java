package io.mcpbridge.upstream;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Who is about to use the place of a session, which is not given away meanwhile: a call that has found it may not be
 * kept or sent there yet. Any thread; nothing waits.
 */
final class SlotUse {
    private static final int GIVEN_AWAY = -1;

    private final AtomicInteger users = new AtomicInteger();

    /** One more is about to use it, until it {@link #end}s; false if it was given away before. */
    boolean begin() {
        return users.getAndUpdate(count -> count == GIVEN_AWAY ? count : count + 1) != GIVEN_AWAY;
    }

    /** Whoever began is done: what it left in the place, such as a call under way, speaks for itself. */
    void end() {
        users.getAndDecrement();
    }

    /** Nobody begins from here on; false if somebody has begun already, or has left something for which it is wanted. */
    boolean giveAwayUnless(BooleanSupplier isWanted) {
        if (isWanted.getAsBoolean() || !users.compareAndSet(0, GIVEN_AWAY)) {
            return false;
        }
        var isGivenAway = !isWanted.getAsBoolean();
        if (!isGivenAway) {
            // Somebody has come and gone in between.
            users.set(0);
        }
        return isGivenAway;
    }
}
