package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.SessionLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
    private static final String METHOD_NOT_FOUND = "-32601";

    /** Where goes what is heard. Never waits; any thread. */
    public interface Audible {

        /** The server told of a change. */
        void notified(Notification notification);

        /** The server sent something that belongs to nobody, and that is described for the log. */
        void dropped(String what);
    }

    private final SessionLine session;
    private final Audible audible;
    private final Environment environment;
    private final Set<ListChange> kinds;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    /** The resources that are wanted, and who waits to hear whether the server tells of them. */
    @GuardedBy("lock")
    private final Map<String, List<Consumer<Optional<Failure>>>> wanted = new LinkedHashMap<>();

    @GuardedBy("lock")
    private @Nullable ListenRound current;

    @GuardedBy("lock")
    private @Nullable ListenRound opening;

    @GuardedBy("lock")
    private boolean isBroken;

    private volatile boolean isOver;

    /** Makes the listening on {@code session}, which begins when it is told to. */
    public Listening(SessionLine session, Audible audible, Environment environment, ServerProfile profile) {
        this.session = session;
        this.audible = audible;
        this.environment = environment;
        this.kinds = ListenFilter.kindsOf(profile);
        this.backoff = new Backoff(environment.timekeeper(), environment.random());
    }

    /** Begins to listen, to these resources too. */
    public void begin(Set<String> uris) {
        lock.lock();
        try {
            uris.forEach(uri -> wanted.put(uri, new ArrayList<>()));
        } finally {
            lock.unlock();
        }
        open();
    }

    /** Wants to hear of a resource; {@code told} hears that the server tells of it, or why not. */
    public void want(String uri, Consumer<Optional<Failure>> told) {
        ListenRound known;
        lock.lock();
        try {
            var waiting = wanted.computeIfAbsent(uri, absent -> new ArrayList<>());
            known = opening == null && asksFor(current, uri) ? current : null;
            if (known == null) {
                waiting.add(told);
            }
        } finally {
            lock.unlock();
        }
        if (known == null) {
            open();
        } else {
            told.accept(known.honours(uri) ? Optional.empty() : refusal(uri));
        }
    }

    private static boolean asksFor(@Nullable ListenRound round, String uri) {
        return round != null && round.filter().uris().contains(uri);
    }

    public void unwant(String uri) {
        lock.lock();
        try {
            wanted.remove(uri);
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
            var filter = new ListenFilter(kinds, wanted.keySet());
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
            round.begin(environment.timekeeper());
        }
    }

    /** Takes a notification; what belongs to no listening of ours, or comes before its acknowledgement, is dropped. */
    public void heard(Notification notification, Optional<Outgoing> stream) {
        var round = round(id(notification, stream));
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

    private static Optional<MessageId> id(Notification notification, Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return Optional.of(request.id());
        }
        return notification.raw(Part.SUBSCRIPTION_ID).flatMap(MessageId::parse);
    }

    private @Nullable ListenRound round(Optional<MessageId> id) {
        lock.lock();
        try {
            return Stream.of(Optional.ofNullable(opening), Optional.ofNullable(current))
                    .flatMap(Optional::stream)
                    .filter(round -> Optional.of(round.id()).equals(id))
                    .findFirst()
                    .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    private void acknowledged(ListenRound round, Notification notification) {
        var honoured = round.acknowledge(notification);
        var waiting = new LinkedHashMap<String, List<Consumer<Optional<Failure>>>>();
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
            for (var uri : round.filter().uris()) {
                var told = wanted.computeIfPresent(uri, (key, list) -> list);
                if (told != null) {
                    waiting.put(uri, List.copyOf(told));
                    told.clear();
                }
            }
        } finally {
            lock.unlock();
        }
        backoff.succeeded();
        if (old != null) {
            old.drop();
        }
        waiting.forEach((uri, told) -> tell(told, honoured.uris().contains(uri) ? Optional.empty() : refusal(uri)));
        if (missed) {
            honoured.missed().forEach(change -> audible.notified(change));
        }
        open();
    }

    private static void tell(List<Consumer<Optional<Failure>>> told, Optional<Failure> outcome) {
        told.forEach(each -> each.accept(outcome));
    }

    private Optional<Failure> refusal(String uri) {
        var why = "server '%s' does not tell of changes of '%s'".formatted(session.server(), uri);
        return Optional.of(Failure.of(ErrorCode.INVALID_PARAMS, why).withServer(session.server()));
    }

    /** The server takes a listening back, which is one way to end it; false if it is none of ours. */
    public boolean cancelled(MessageId id) {
        var round = round(Optional.of(id));
        if (round == null) {
            return false;
        }
        session.forget(id);
        ended(round, Outcome.failed(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the server ended the listening")));
        return true;
    }

    /** A round ended that was not dropped by us; the next one comes after a while, unless the server knows no such. */
    private void ended(ListenRound round, Outcome outcome) {
        var waiting = new ArrayList<Consumer<Optional<Failure>>>();
        lock.lock();
        try {
            if (isOver || (round != current && round != opening)) {
                return;
            }
            if (round == opening) {
                round.filter()
                        .uris()
                        .forEach(uri -> wanted.computeIfPresent(uri, (key, told) -> {
                            waiting.addAll(told);
                            return told.isEmpty() ? told : null;
                        }));
                opening = null;
            } else {
                current = null;
            }
            isBroken = true;
        } finally {
            lock.unlock();
        }
        var why = failure(outcome);
        tell(waiting, Optional.of(why));
        backoff.failed(why);
        if (!isUnknown(outcome)) {
            var pause = backoff.refusal(session.server()).retryAfter().orElseThrow();
            environment.timekeeper().schedule(pause, this::open);
        }
    }

    private Failure failure(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.failure();
        }
        var words = "server '%s' does not listen for changes".formatted(session.server());
        return Failure.of(ErrorCode.METHOD_NOT_FOUND, words).withServer(session.server());
    }

    private static boolean isUnknown(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered
                && answered.response()
                        .raw(Part.ERROR_CODE)
                        .filter(METHOD_NOT_FOUND::equals)
                        .isPresent();
    }

    /** The session is over. */
    public void close() {
        isOver = true;
        List<Consumer<Optional<Failure>>> waiting;
        lock.lock();
        try {
            waiting = wanted.values().stream().flatMap(List::stream).toList();
            wanted.clear();
        } finally {
            lock.unlock();
        }
        var why = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the session with '%s' ended".formatted(session.server()));
        tell(waiting, Optional.of(why.withServer(session.server())));
    }
}
