package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.SessionLine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hears what a modern server tells unasked, by keeping one {@code subscriptions/listen} open on its session. Any
 * thread may use it.
 *
 * <p>Where the server ends it, or it breaks, another one is opened after a while. Another filter means another
 * request: the old one is dropped when the new one is acknowledged, so that nothing is missed between them.
 */
public final class Listening {
    private final SessionLine session;
    private final Audible audible;
    private final Timekeeper timekeeper;
    private final ListenTerms terms;
    private final Set<ListChange> kinds;
    private final Backoff backoff;
    private final ListenFailures failures;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Wishes wishes = new Wishes();

    @GuardedBy("lock")
    private @Nullable ListenRound current;

    @GuardedBy("lock")
    private @Nullable ListenRound opening;

    @GuardedBy("lock")
    private boolean isBroken;

    @GuardedBy("lock")
    private boolean isOver;

    private volatile Timekeeper.Alarm retry = () -> {};

    /** Makes the listening on {@code session}, which begins when it is told to. */
    public Listening(SessionLine session, Audible audible, Environment environment, ListenTerms terms) {
        this.session = session;
        this.audible = audible;
        this.timekeeper = environment.timekeeper();
        this.terms = terms;
        this.kinds = ListenFilter.kindsOf(terms.profile());
        this.failures = new ListenFailures(session.server());
        this.backoff = new Backoff(timekeeper, environment.random());
    }

    /** Begins to listen, to these resources too. */
    public void begin(Set<String> uris) {
        lock.lock();
        try {
            uris.forEach(wishes::add);
        } finally {
            lock.unlock();
        }
        open();
    }

    /** Wants to hear of a resource; {@code told} hears that the server tells of it, or why not. */
    public void want(String uri, Consumer<Optional<Failure>> told) {
        ListenRound known;
        boolean isLate;
        lock.lock();
        try {
            isLate = isOver;
            known = opening == null && current != null && current.asksFor(uri) ? current : null;
            if (isLate) {
                known = null;
            } else if (known == null) {
                wishes.add(uri, told);
            } else if (known.honours(uri)) {
                wishes.add(uri);
            }
        } finally {
            lock.unlock();
        }
        if (isLate) {
            told.accept(Optional.of(failures.over()));
        } else if (known == null) {
            open();
        } else {
            told.accept(answer(known, uri));
        }
    }

    /** What whoever wants to hear of a resource is told by a round that is acknowledged. */
    private Optional<Failure> answer(ListenRound round, String uri) {
        return round.honours(uri) ? Optional.empty() : Optional.of(failures.refusal(uri));
    }

    /** Wants to hear of a resource no more. */
    public void unwant(String uri) {
        lock.lock();
        try {
            wishes.remove(uri);
        } finally {
            lock.unlock();
        }
        open();
    }

    /** Opens a round for what is wanted now, unless one is being opened; that one is followed by another then. */
    private void open() {
        ListenRound round;
        ListenRound idle = null;
        lock.lock();
        try {
            var filter = new ListenFilter(kinds, wishes.uris());
            if (isOver
                    || opening != null
                    || (current != null && current.filter().equals(filter))) {
                return;
            }
            round = filter.isEmpty() ? null : new ListenRound(session, filter, this::ended);
            if (round == null) {
                idle = current;
                current = null;
            }
            opening = round;
        } finally {
            lock.unlock();
        }
        if (idle != null) {
            idle.drop();
        }
        if (round != null) {
            round.begin(timekeeper, terms.patience());
        }
    }

    /** Takes a notification; what belongs to no listening of ours, or comes before its acknowledgement, is dropped. */
    public void heard(Notification notification, Optional<Outgoing> stream) {
        var round = round(ListenRound.idIn(notification, stream));
        if (round == null) {
            audible.dropped("a notification that nobody listens for: " + notification);
        } else if (notification.method().equals(Methods.SUBSCRIPTIONS_ACKNOWLEDGED)) {
            acknowledged(round, notification);
        } else if (round.isAcknowledged()) {
            audible.notified((Notification)
                    notification.splice().remove(Part.SUBSCRIPTION_ID).done());
        } else {
            audible.dropped("a notification before its listening was acknowledged: " + notification);
        }
    }

    private @Nullable ListenRound round(Optional<MessageId> id) {
        lock.lock();
        try {
            return Stream.of(Optional.ofNullable(opening), Optional.ofNullable(current))
                    .flatMap(Optional::stream)
                    .filter(round -> id.filter(round.id()::equals).isPresent())
                    .findFirst()
                    .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    private void acknowledged(ListenRound round, Notification notification) {
        if (!round.acknowledge(notification)) {
            return;
        }
        Map<String, List<Consumer<Optional<Failure>>>> waiting;
        ListenRound old;
        boolean missed;
        lock.lock();
        try {
            if (opening != round) {
                return;
            }
            old = current;
            current = round;
            opening = null;
            missed = isBroken;
            isBroken = false;
            waiting = wishes.takeWaiting(round.filter().uris());
            for (var uri : waiting.keySet()) {
                if (!round.honours(uri)) {
                    wishes.remove(uri);
                }
            }
        } finally {
            lock.unlock();
        }
        backoff.succeeded();
        if (old != null) {
            old.drop();
        }
        waiting.forEach((uri, told) -> tell(told, answer(round, uri)));
        if (missed) {
            round.honoured().missed().forEach(audible::notified);
        }
        open();
    }

    private static void tell(List<Consumer<Optional<Failure>>> told, Optional<Failure> outcome) {
        told.forEach(each -> each.accept(outcome));
    }

    /** The server takes a listening back, which is one way to end it; false if it is none of ours. */
    public boolean cancelled(MessageId id) {
        var round = round(Optional.of(id));
        if (round == null) {
            return false;
        }
        session.forget(id);
        ended(round, Outcome.failed(failures.takenBack()));
        return true;
    }

    /** A round ended that was not dropped by us; the next one comes after a while, unless the server knows no such. */
    private void ended(ListenRound round, Outcome outcome) {
        List<Consumer<Optional<Failure>>> waiting = List.of();
        var isFinal = ListenFailures.isFinal(outcome);
        lock.lock();
        try {
            if (isOver || (round != current && round != opening)) {
                return;
            }
            if (round == opening) {
                // Where no round follows, nobody is left to answer those who came after this one was sent.
                waiting = isFinal
                        ? wishes.giveUpWaitedFor()
                        : wishes.giveUpWaitedFor(round.filter().uris());
                opening = null;
            } else {
                current = null;
            }
            isBroken = true;
        } finally {
            lock.unlock();
        }
        var why = failures.of(outcome);
        tell(waiting, Optional.of(why));
        backoff.failed(why);
        if (!isFinal) {
            var pause = backoff.refusal(session.server()).retryAfter().orElseThrow();
            retry = timekeeper.schedule(pause, this::open);
        }
    }

    /** The session is over. */
    public void close() {
        List<Consumer<Optional<Failure>>> waiting;
        ListenRound unanswered;
        lock.lock();
        try {
            isOver = true;
            waiting = wishes.giveUp();
            unanswered = opening;
        } finally {
            lock.unlock();
        }
        retry.cancel();
        if (unanswered != null) {
            unanswered.drop();
        }
        tell(waiting, Optional.of(failures.over()));
    }
}
