package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.upstream.ListSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has a list asked for again that is as old as its operator lets it become, since its server may change it without a word.
 * Keeps one alarm at most. Any thread; nothing here waits.
 */
final class ListAge {
    private static final Alarm NONE = () -> {};

    private final ListSource source;
    private final Runnable listing;
    private final AtomicReference<Alarm> alarm = new AtomicReference<>(NONE);

    /** @param listing asks for the list */
    ListAge(ListSource source, Runnable listing) {
        this.source = source;
        this.listing = listing;
    }

    /** It was listed, or could not be: the time begins anew. */
    void begin() {
        var limits = source.upstream().settings().listLimits();
        if (limits.expires()) {
            replace(source.after(limits.ttl(), listing));
        }
    }

    /** Nobody wants to know it any more. */
    void end() {
        replace(NONE);
    }

    private void replace(Alarm next) {
        alarm.getAndSet(next).cancel();
    }
}
