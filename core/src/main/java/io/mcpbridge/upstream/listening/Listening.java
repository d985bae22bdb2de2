package io.mcpbridge.upstream.listening;

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
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

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
    private final ListenRounds rounds = new ListenRounds();
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
        rounds.want(uris);
        open();
    }

    /** Wants to hear of a resource; {@code told} hears that the server tells of it, or why not. */
    public void want(String uri, Consumer<Optional<Failure>> told) {
        var wanted = rounds.want(uri, told);
        if (wanted.isLate()) {
            told.accept(Optional.of(failures.over()));
        } else if (wanted.known() == null) {
            open();
        } else {
            told.accept(answer(wanted.known(), uri));
        }
    }

    /** What whoever wants to hear of a resource is told by a round that is acknowledged. */
    private Optional<Failure> answer(ListenRound round, String uri) {
        return round.honours(uri) ? Optional.empty() : Optional.of(failures.refusal(uri));
    }

    /** Wants to hear of a resource no more. */
    public void unwant(String uri) {
        rounds.unwant(uri);
        open();
    }

    private void open() {
        var next = rounds.next(
                uris -> new ListenFilter(kinds, uris), filter -> new ListenRound(session, filter, this::ended));
        Optional.ofNullable(next.idle()).ifPresent(ListenRound::drop);
        Optional.ofNullable(next.begun()).ifPresent(round -> round.begin(timekeeper, terms.patience()));
    }

    /** Takes a notification; what belongs to no listening of ours, or comes before its acknowledgement, is dropped. */
    public void heard(Notification notification, Optional<Outgoing> stream) {
        var round = rounds.find(ListenRound.idIn(notification, stream));
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

    private void acknowledged(ListenRound round, Notification notification) {
        if (round.acknowledge(notification)) {
            rounds.acknowledged(round).ifPresent(acknowledged -> follow(round, acknowledged));
        }
    }

    private void follow(ListenRound round, ListenRounds.Acknowledged acknowledged) {
        backoff.succeeded();
        Optional.ofNullable(acknowledged.old()).ifPresent(ListenRound::drop);
        acknowledged.waiting().forEach((uri, told) -> tell(told, answer(round, uri)));
        if (acknowledged.mayHaveMissed()) {
            round.honoured().missed().forEach(audible::notified);
        }
        open();
    }

    private static void tell(List<Consumer<Optional<Failure>>> told, Optional<Failure> outcome) {
        told.forEach(each -> each.accept(outcome));
    }

    /** The server takes a listening back, which is one way to end it; false if it is none of ours. */
    public boolean cancelled(MessageId id) {
        var round = rounds.find(Optional.of(id));
        if (round == null) {
            return false;
        }
        session.forget(id);
        ended(round, Outcome.failed(failures.takenBack()));
        return true;
    }

    /** A round ended that was not dropped by us; the next one comes after a while, unless the server knows no such. */
    private void ended(ListenRound round, Outcome outcome) {
        var isFinal = ListenFailures.isFinal(outcome);
        rounds.ended(round, isFinal).ifPresent(waiting -> {
            var why = failures.of(outcome);
            tell(waiting, Optional.of(why));
            backoff.failed(why);
            if (!isFinal) {
                var pause = backoff.refusal(session.server()).retryAfter().orElseThrow();
                retry = timekeeper.schedule(pause, this::open);
            }
        });
    }

    /** The session is over. */
    public void close() {
        var over = rounds.close();
        retry.cancel();
        Optional.ofNullable(over.unanswered()).ifPresent(ListenRound::drop);
        tell(over.waiting(), Optional.of(failures.over()));
    }
}
