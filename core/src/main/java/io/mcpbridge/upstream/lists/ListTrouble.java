package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.upstream.ListSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Why one list of a connected server cannot be had, which operators are shown until it comes.
 *
 * <p>One that does not come in time is overdue: nobody waits for it any more, and it is asked for again after pauses that
 * double, until it comes or the connection ends. Any thread; nothing here waits.
 */
final class ListTrouble {
    static final Duration FIRST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofMinutes(1);

    private static final Alarm NONE = () -> {};
    private static final int LONGEST_REASON = 400;

    private final ListSource source;
    private final ListKind<?> kind;
    private final BooleanSupplier isConnected;
    private final Runnable listing;
    private final AtomicReference<Alarm> alarm = new AtomicReference<>(NONE);
    private volatile @Nullable Failure overdue;
    private volatile Duration pause = FIRST;

    /**
     * Makes that of a list which nobody has asked for yet.
     *
     * @param isConnected whether the list can be asked for
     * @param listing asks for it, where nobody waits
     */
    ListTrouble(ListSource source, ListKind<?> kind, BooleanSupplier isConnected, Runnable listing) {
        this.source = source;
        this.kind = kind;
        this.isConnected = isConnected;
        this.listing = listing;
    }

    /** What whoever asks is told at once instead of the list; empty where it is worth waiting for. */
    Optional<Failure> overdue() {
        return Optional.ofNullable(overdue);
    }

    /** Somebody has waited for the list for so long, and waits no longer. */
    void late(Duration waited) {
        if (isConnected.getAsBoolean()) {
            begin(waited);
            askAgainLater();
        }
    }

    /** A listing failed. */
    void failed(Failure why) {
        if (!isConnected.getAsBoolean()) {
            overdue = null;
        } else if (why.code() == ErrorCode.PROVIDER_TIMEOUT) {
            begin(source.upstream().settings().timeout());
            askAgainLater();
        } else {
            overdue = null;
            tell(why);
        }
    }

    /** The list is there. */
    void over() {
        overdue = null;
        pause = FIRST;
        end();
        source.unlisted(kind.toString(), Optional.empty());
    }

    /** Nobody wants to know the list any more. */
    void end() {
        alarm.getAndSet(NONE).cancel();
    }

    private void begin(Duration waited) {
        if (overdue != null) {
            return;
        }
        var words = "its list of %s has not come for %d s; it is asked again now and then, and nobody waits for it"
                .formatted(kind, Math.max(1, waited.toSeconds()));
        var server = source.upstream().name();
        overdue = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "server '%s': %s".formatted(server, words))
                .withDelivery(Delivery.UNKNOWN)
                .withServer(server);
        source.unlisted(kind.toString(), Optional.of(words));
    }

    /** What the server itself answered is its trouble; limits and refusals of others are not. */
    private void tell(Failure why) {
        if (why.code() == ErrorCode.UPSTREAM_INVALID || why.serverError().isPresent()) {
            var words = "its %s are missing from the list: %s"
                    .formatted(kind, VisibleText.beginning(why.message(), LONGEST_REASON));
            source.unlisted(kind.toString(), Optional.of(words));
        }
    }

    private void askAgainLater() {
        var current = pause;
        var twice = current.multipliedBy(2);
        pause = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
        alarm.getAndSet(source.after(current, this::askAgain)).cancel();
    }

    private void askAgain() {
        if (isConnected.getAsBoolean()) {
            listing.run();
        } else {
            // Whoever asks next has it connected, and waits for that.
            overdue = null;
        }
    }
}
