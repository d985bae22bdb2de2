package io.mcpbridge.call;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call was withdrawn, and what runs then. Any thread may use it.
 *
 * <p>A call has one, and each attempt has a {@linkplain #child() child} that ends with its parent or by
 * itself. The first reason wins. The holder of the call answers a cancellation with the one outcome.
 */
public final class Cancellation {
    /** Rather than a lock and a list for each: there are several with each call, and hardly one is ever cancelled. */
    private static final AtomicReferenceFieldUpdater<Cancellation, Link> LATEST =
            AtomicReferenceFieldUpdater.newUpdater(Cancellation.class, Link.class, "latest");

    private static final AtomicReferenceFieldUpdater<Cancellation, CancelReason> REASON =
            AtomicReferenceFieldUpdater.newUpdater(Cancellation.class, CancelReason.class, "reason");

    private static final Registration NOTHING = () -> {};

    /** The actions, the latest first. */
    private volatile Link latest = Link.NONE;

    private volatile @Nullable CancelReason reason;

    /** Withdraws the call and runs the registered actions on this thread; only the first call counts. */
    public void cancel(CancelReason why) {
        if (!REASON.compareAndSet(this, null, why)) {
            return;
        }
        var due = new ArrayDeque<Consumer<CancelReason>>();
        for (var link = LATEST.getAndSet(this, Link.TOLD); link != Link.NONE; link = link.next) {
            var action = link.action;
            if (action != null) {
                due.push(action);
            }
        }
        due.forEach(action -> action.accept(why));
    }

    /** Runs {@code action} when the call is withdrawn, at once if it already is. */
    public Registration onCancel(Consumer<CancelReason> action) {
        while (true) {
            var before = latest;
            var already = reason;
            if (before == Link.TOLD && already != null) {
                action.accept(already);
                return NOTHING;
            }
            before.skipRemoved();
            var link = new Link(this, action, before);
            if (LATEST.compareAndSet(this, before, link)) {
                return link;
            }
        }
    }

    public boolean isCancelled() {
        return reason != null;
    }

    public Optional<CancelReason> reason() {
        return Optional.ofNullable(reason);
    }

    /** One that is cancelled when this one is; close it when the attempt has ended. */
    public Child child() {
        var child = new Cancellation();
        return new Child(child, onCancel(child::cancel));
    }

    /** Mostly the latest one is taken back first, and those that were taken back before it go with it. */
    private void dropRemoved() {
        for (var first = latest; first.isRemoved(); first = latest) {
            LATEST.compareAndSet(this, first, first.next);
        }
    }

    /** A registered action. */
    public interface Registration {

        /** Takes the action back; harmless when it has run. */
        void remove();
    }

    /**
     * A cancellation that follows its parent.
     *
     * @param cancellation the attempt's own
     * @param link what ties it to its parent; remove it when the attempt has ended
     */
    public record Child(Cancellation cancellation, Registration link) {}

    /** One action, and those that were there before it. */
    private static final class Link implements Registration {
        private static final Link NONE = new Link();
        private static final Link TOLD = new Link();

        private final @Nullable Cancellation of;
        private volatile @Nullable Consumer<CancelReason> action;
        private volatile Link next;

        private Link() {
            this.of = null;
            this.next = this;
        }

        private Link(Cancellation of, Consumer<CancelReason> action, Link next) {
            this.of = of;
            this.action = action;
            this.next = next;
        }

        @Override
        public void remove() {
            action = null;
            if (of != null) {
                of.dropRemoved();
            }
        }

        private boolean isRemoved() {
            return of != null && action == null;
        }

        /** Releases the registration that was removed right before this one, so that none pile up behind it. */
        private void skipRemoved() {
            var kept = next;
            while (kept.isRemoved()) {
                kept = kept.next;
            }
            next = kept;
        }
    }
}
