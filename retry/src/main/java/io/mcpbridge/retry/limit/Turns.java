package io.mcpbridge.retry.limit;

import io.mcpbridge.call.Principal;
import java.util.concurrent.TimeUnit;

/**
 * When whose calls of a server may begin: by its rate, by the rate of each user and by the patience that the server has
 * asked for. Spans are in nanoseconds. For one thread at a time: the stage guards it, with the queue.
 */
final class Turns {
    private final RateLimitSettings settings;
    private final FairQueue queue;
    private final ServerPause pause;
    private final CellRate all;
    private final UserRates users;

    /**
     * Nobody has begun anything yet.
     *
     * @param queue who waits
     * @param pause for how long the server has asked for patience
     */
    Turns(RateLimitSettings settings, FairQueue queue, ServerPause pause, long now) {
        this.settings = settings;
        this.queue = queue;
        this.pause = pause;
        this.all = new CellRate(settings.server(), now);
        this.users = new UserRates(settings.principal());
    }

    /** How long it is until a call of this user may begin, whoever waits; zero if it may now. */
    long pauseOf(Principal user, long now) {
        return Math.max(users.pause(user, now), Math.max(pause.rest(now), pauseOfAll(now)));
    }

    private long pauseOfAll(long now) {
        return settings.server().isLimited() ? all.pause(now) : 0;
    }

    /** How long it takes, at the least, until a further call of the user may begin. */
    long turnOf(Principal user, long now) {
        var own = queue.length(user);
        var byOwnRate = users.pause(user, now) + span(own, settings.principal());
        var byRate = pauseOfAll(now) + span(own + aheadOf(user, own, now), settings.server());
        return Math.max(pause.rest(now), Math.max(byOwnRate, byRate));
    }

    /** How many calls of other users begin earlier, who take turns with this one; not those who wait for their own rate. */
    private int aheadOf(Principal user, int own, long now) {
        var ahead = 0;
        for (var other : queue.principals()) {
            if (!other.equals(user) && users.pause(other, now) == 0) {
                ahead += Math.min(own + 1, queue.length(other));
            }
        }
        return ahead;
    }

    private static long span(int calls, RateLimitSettings.Rate rate) {
        return (long) (calls * TimeUnit.SECONDS.toNanos(1) / rate.perSecond());
    }

    /** A call of this user begins. */
    void take(Principal user, long now) {
        all.take(now);
        users.take(user, now);
    }

    /** How long it is until the first of those who wait may begin; the longest of all where nobody waits. */
    long soonest(long now) {
        var soonest = Long.MAX_VALUE;
        for (var user : queue.principals()) {
            soonest = Math.min(soonest, pauseOf(user, now));
        }
        return soonest;
    }
}
