package io.mcpbridge.call;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a call and runs the actions registered for that. Any thread may use it.
 *
 * <p>A call has one, and each attempt has a {@linkplain #child() child}, which is cancelled with its parent or alone.
 * The first reason wins. The holder of a cancelled call completes it with its one outcome.
 */
public final class Cancellation {
    /** Saves a lock and a list per instance: each call has several cancellations, and few are ever cancelled. */
    private static final AtomicReferenceFieldUpdater<Cancellation, Link> LATEST =
            AtomicReferenceFieldUpdater.newUpdater(Cancellation.class, Link.class, "latest");

    private static final AtomicReferenceFieldUpdater<Cancellation, CancelReason> REASON =
            AtomicReferenceFieldUpdater.newUpdater(Cancellation.class, CancelReason.class, "reason");

    private static final Registration NOTHING = () -> {};

    /** The actions, the latest first. */
    private volatile Link latest = Link.NONE;

    private volatile @Nullable CancelReason reason;

    /** Cancels the call and runs the registered actions on this thread; only the first invocation has an effect. */
    public void cancel(CancelReason why) {
        if (!REASON.compareAndSet(this, null, why)) {
            return;
        }
        var due = new ArrayDeque<Consumer<CancelReason>>();
        for (var link = LATEST.getAndSet(this, Link.CANCELLED); link != Link.NONE; link = link.next) {
            var action = link.action;
            if (action != null) {
                due.push(action);
            }
        }
        due.forEach(action -> action.accept(why));
    }

    /** Runs {@code action} when the call is cancelled; at once if it is already cancelled. */
    public Registration onCancel(Consumer<CancelReason> action) {
        while (true) {
            var before = latest;
            var already = reason;
            if (before == Link.CANCELLED && already != null) {
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

    /** A cancellation that is also cancelled when this one is; remove its link when the attempt has ended. */
    public Child child() {
        var child = new Cancellation();
        return new Child(child, onCancel(child::cancel));
    }

    /** Usually the latest action is removed first; actions before it that were already removed are dropped with it. */
    private void dropRemoved() {
        for (var first = latest; first.isRemoved(); first = latest) {
            LATEST.compareAndSet(this, first, first.next);
        }
    }

    /** A registered action. */
    public interface Registration {

        /** Removes the action; has no effect if it has run. */
        void remove();
    }

    /**
     * A cancellation that follows its parent.
     *
     * @param cancellation the cancellation of the attempt
     * @param link the registration with the parent; remove it when the attempt has ended
     */
    public record Child(Cancellation cancellation, Registration link) {}

    /** One action, and a link to the earlier ones. */
    private static final class Link implements Registration {
        private static final Link NONE = new Link();
        private static final Link CANCELLED = new Link();

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

        /** Unlinks the earlier registrations that are removed, so that they do not accumulate. */
        private void skipRemoved() {
            var kept = next;
            while (kept.isRemoved()) {
                kept = kept.next;
            }
            next = kept;
        }
    }
}
