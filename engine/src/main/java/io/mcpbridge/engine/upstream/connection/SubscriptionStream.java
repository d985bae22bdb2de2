package io.mcpbridge.engine.upstream.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The change notifications that the bridge subscribes to at a modern server, by one {@code subscriptions/listen} request
 * that stays open on the connection. Any thread; never waits.
 *
 * <p>When the server ends the request or the request fails, another one follows after a pause. Another filter needs
 * another request, which replaces the open one when the server has acknowledged it, so that no change is missed. The lock
 * is never held while the stream sends something or notifies a listener.
 */
public final class SubscriptionStream {
    /** The request ends when the bridge or the server ends it. */
    private static final Duration NO_DEADLINE = Duration.ofDays(3_650);

    private final ServerConnection connection;
    private final UpstreamContext context;
    private final Consumer<Notification> listener;
    private final Set<ListChange> lists;

    /** Whether the server declares that it reports changes of resources. */
    private final boolean hasResources;

    /** How long the server may take to acknowledge a request. */
    private final Duration timeout;

    private final StartBackoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<String> wanted = new LinkedHashSet<>();

    @GuardedBy("lock")
    private final List<Waiting> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable ListenRequest current;

    /** Sent and not acknowledged yet. */
    @GuardedBy("lock")
    private @Nullable ListenRequest opening;

    /** Whether changes may have been missed since the last request failed. */
    @GuardedBy("lock")
    private boolean wasInterrupted;

    @GuardedBy("lock")
    private boolean isClosed;

    private volatile Timekeeper.Alarm retry = () -> {};

    /** @param then receives the server's answer about the resource */
    private record Waiting(String uri, Consumer<Optional<Failure>> then) {}

    /**
     * Makes a stream that is not open yet.
     *
     * @param profile says which lists the server announces changes of
     * @param uris the resources that are wanted from the beginning
     * @param listener receives the change notifications
     */
    SubscriptionStream(
            ServerConnection connection,
            UpstreamContext context,
            ServerProfile profile,
            Set<String> uris,
            Consumer<Notification> listener) {
        this.connection = connection;
        this.context = context;
        this.lists = Filter.announced(profile);
        this.hasResources = profile.declares("resources", "subscribe");
        this.timeout = context.parts().settings().timeout();
        this.listener = listener;
        wanted.addAll(uris);
        this.backoff = new StartBackoff(timekeeper(), context.environment().random(), Duration.ZERO);
    }

    /** Subscribes to list changes and to the resources that are wanted. */
    void begin() {
        update();
    }

    /**
     * Subscribes to a resource; {@code then} receives why the server refuses, or empty once it has accepted. A server that
     * does not declare subscriptions is not asked, since it may never answer.
     */
    public void want(String uri, Consumer<Optional<Failure>> then) {
        if (!hasResources) {
            then.accept(Optional.of(refused(uri)));
            return;
        }
        boolean isLate;
        lock.lock();
        try {
            isLate = isClosed;
            if (!isLate) {
                wanted.add(uri);
                waiting.add(new Waiting(uri, then));
            }
        } finally {
            lock.unlock();
        }
        if (isLate) {
            then.accept(Optional.of(connectionEnded()));
        } else {
            update();
        }
    }

    /** Ends the subscription to a resource. */
    public void unwant(String uri) {
        lock.lock();
        try {
            // A listener that waits came later.
            if (waiting.stream().noneMatch(each -> each.uri.equals(uri))) {
                wanted.remove(uri);
            }
        } finally {
            lock.unlock();
        }
        update();
    }

    /** Sends a request for what is wanted now, unless one is not acknowledged yet; another update follows that one. */
    private void update() {
        ListenRequest unneeded = null;
        ListenRequest next = null;
        Runnable answers = () -> {};
        lock.lock();
        try {
            var filter = new Filter(lists, wanted);
            if (isClosed || opening != null) {
                return;
            }
            if (current != null && current.filter.equals(filter)) {
                answers = settle(current);
            } else if (filter.isEmpty()) {
                unneeded = current;
                current = null;
            } else {
                next = new ListenRequest(filter);
                opening = next;
            }
        } finally {
            lock.unlock();
        }
        answers.run();
        cancel(unneeded);
        if (next != null) {
            send(next);
        }
    }

    /** Returns an action that answers those who wait, after the lock; what the server refused is wanted no more. */
    @GuardedBy("lock")
    private Runnable settle(ListenRequest acknowledged) {
        var accepted = Objects.requireNonNull(acknowledged.accepted).uris;
        var answered = takeWaiting(acknowledged.filter.uris);
        for (var each : answered) {
            if (!accepted.contains(each.uri)) {
                wanted.remove(each.uri);
            }
        }
        return () -> answered.forEach(each ->
                each.then.accept(accepted.contains(each.uri) ? Optional.empty() : Optional.of(refused(each.uri))));
    }

    @GuardedBy("lock")
    private List<Waiting> takeWaiting(Set<String> uris) {
        var taken = waiting.stream().filter(each -> uris.contains(each.uri)).toList();
        waiting.removeAll(taken);
        return taken;
    }

    private void send(ListenRequest request) {
        request.alarm = timekeeper().schedule(timeout, () -> timedOut(request));
        Function<MessageId, Outgoing> message = id -> {
            request.id = id;
            return connection.message(request.call, id);
        };
        connection.handleOwn(request.call, message, outcome -> ended(request, outcome));
    }

    private void timedOut(ListenRequest request) {
        if (request.accepted == null) {
            var words = "server '%s' did not acknowledge 'subscriptions/listen' within %d ms";
            var why = failure(ErrorCode.PROVIDER_TIMEOUT, words.formatted(context.server(), timeout.toMillis()));
            ended(request, Outcome.failed(why));
            cancel(request);
        }
    }

    /**
     * Takes a change notification or the cancellation of a request; false for other notifications.
     *
     * @param stream the request on whose stream it came, if it came on one
     */
    boolean received(Notification notification, Optional<Outgoing> stream) {
        return switch (notification.method()) {
            case Methods.TOOLS_LIST_CHANGED,
                    Methods.PROMPTS_LIST_CHANGED,
                    Methods.RESOURCES_LIST_CHANGED,
                    Methods.RESOURCES_UPDATED,
                    Methods.SUBSCRIPTIONS_ACKNOWLEDGED -> {
                receivedChange(notification, stream);
                yield true;
            }
            case Methods.CANCELLED ->
                notification
                        .raw(MessageField.CANCELLED_ID)
                        .flatMap(MessageId::parse)
                        .filter(this::cancelled)
                        .isPresent();
            default -> false;
        };
    }

    private void receivedChange(Notification notification, Optional<Outgoing> stream) {
        var request = find(subscriptionId(notification, stream));
        if (request == null) {
            context.dropped().count("a notification that belongs to no subscription: " + notification);
        } else if (notification.method().equals(Methods.SUBSCRIPTIONS_ACKNOWLEDGED)) {
            acknowledged(request, notification);
        } else if (request.accepted != null) {
            listener.accept((Notification)
                    notification.splice().remove(MessageField.SUBSCRIPTION_ID).done());
        } else {
            context.dropped().count("a notification before its subscription was acknowledged: " + notification);
        }
    }

    private static Optional<MessageId> subscriptionId(Notification notification, Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return Optional.of(request.id());
        }
        return notification.raw(MessageField.SUBSCRIPTION_ID).flatMap(MessageId::parse);
    }

    private @Nullable ListenRequest find(Optional<MessageId> id) {
        lock.lock();
        try {
            return Stream.of(Optional.ofNullable(opening), Optional.ofNullable(current))
                    .flatMap(Optional::stream)
                    .filter(request -> id.filter(request.id::equals).isPresent())
                    .findFirst()
                    .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    private void acknowledged(ListenRequest request, Notification acknowledgement) {
        var accepted = Filter.accepted(acknowledgement);
        ListenRequest replaced;
        boolean mayHaveMissed;
        Runnable answers;
        lock.lock();
        try {
            if (opening != request) {
                return;
            }
            request.accepted = accepted;
            replaced = current;
            current = request;
            opening = null;
            mayHaveMissed = wasInterrupted;
            wasInterrupted = false;
            answers = settle(request);
        } finally {
            lock.unlock();
        }
        request.alarm.cancel();
        backoff.succeeded();
        cancel(replaced);
        answers.run();
        if (mayHaveMissed) {
            accepted.changes().forEach(listener);
        }
        update();
    }

    private Failure refused(String uri) {
        var words = "server '%s' does not report changes of '%s'".formatted(context.server(), uri);
        return failure(ErrorCode.INVALID_PARAMS, words);
    }

    private static void reject(List<Waiting> waiting, Failure why) {
        waiting.forEach(each -> each.then.accept(Optional.of(why)));
    }

    /** The server cancels the request with this id; false if that is no subscription. */
    private boolean cancelled(MessageId id) {
        var request = find(Optional.of(id));
        if (request == null) {
            return false;
        }
        connection.forget(id);
        var words = "server '%s' ended the listening".formatted(context.server());
        ended(request, Outcome.failed(failure(ErrorCode.PROVIDER_UNAVAILABLE, words)));
        return true;
    }

    /** A request has ended. The next one follows after a pause, unless the server does not know the method. */
    private void ended(ListenRequest request, Outcome outcome) {
        request.alarm.cancel();
        var isFinal = isMethodUnknown(outcome);
        List<Waiting> rejected = List.of();
        lock.lock();
        try {
            if (isClosed || (request != current && request != opening)) {
                return;
            }
            wasInterrupted = true;
            if (request == current) {
                current = null;
            } else {
                opening = null;
                rejected = takeWaiting(isFinal ? wanted : request.filter.uris);
                for (var each : rejected) {
                    wanted.remove(each.uri);
                }
            }
        } finally {
            lock.unlock();
        }
        var why = outcome instanceof Outcome.Failed failed
                ? failed.failure()
                : failure(
                        ErrorCode.METHOD_NOT_FOUND,
                        "server '%s' does not listen for changes".formatted(context.server()));
        reject(rejected, why);
        backoff.failed(why);
        if (!isFinal) {
            retry = timekeeper().schedule(backoff.pause(), this::update);
        }
    }

    private static boolean isMethodUnknown(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered && ResponseClassifier.isMethodUnknown(answered.response());
    }

    /** Ends all subscriptions. */
    void close() {
        List<Waiting> rejected;
        ListenRequest unanswered;
        lock.lock();
        try {
            isClosed = true;
            rejected = takeWaiting(wanted);
            unanswered = opening;
        } finally {
            lock.unlock();
        }
        retry.cancel();
        cancel(unanswered);
        reject(rejected, connectionEnded());
    }

    private static void cancel(@Nullable ListenRequest request) {
        if (request != null) {
            request.alarm.cancel();
            request.call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    private Failure connectionEnded() {
        return failure(ErrorCode.PROVIDER_UNAVAILABLE, "the session with '%s' ended".formatted(context.server()));
    }

    private Failure failure(ErrorCode code, String words) {
        return Failure.of(code, words).withServer(context.server());
    }

    private Timekeeper timekeeper() {
        return context.environment().timekeeper();
    }

    /** One {@code subscriptions/listen} request. */
    private final class ListenRequest {
        private final Filter filter;
        private final Call call;
        private volatile Timekeeper.Alarm alarm = () -> {};

        /** The id of the last attempt. The server repeats it in each notification that belongs to the request. */
        private volatile MessageId id = MessageId.of(0);

        /** What the server has acknowledged; null before. */
        private volatile @Nullable Filter accepted;

        private ListenRequest(Filter filter) {
            this.filter = filter;
            this.call = context.parts()
                    .call("listen", Methods.SUBSCRIPTIONS_LISTEN, filter.params(), Caller.ANONYMOUS)
                    .withDeadline(Deadline.after(NO_DEADLINE, timekeeper()));
        }
    }

    /**
     * What a request subscribes to, or what the server has acknowledged of it; in order, so that requests are alike.
     *
     * @param lists the lists whose changes are of interest
     * @param uris the resources whose changes are of interest
     */
    private record Filter(Set<ListChange> lists, Set<String> uris) {

        private Filter {
            lists = Collections.unmodifiableSet(new TreeSet<>(lists));
            uris = Collections.unmodifiableSet(new TreeSet<>(uris));
        }

        /** The lists that the server announces changes of. */
        private static Set<ListChange> announced(ServerProfile profile) {
            return Stream.of(ListChange.values())
                    .filter(list -> profile.declares(list.capability(), "listChanged"))
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** What the server says that it honours; nothing if that is unreadable. */
        private static Filter accepted(Notification acknowledgement) {
            try {
                var params = JsonCodec.rawMembers(
                        acknowledgement.raw(MessageField.PARAMS).orElse("{}"));
                var members = JsonCodec.rawMembers(params.getOrDefault("notifications", "{}"));
                var lists = Stream.of(ListChange.values())
                        .filter(list -> "true".equals(members.get(list.filterKey())))
                        .collect(Collectors.toUnmodifiableSet());
                var uris = JsonCodec.rawElements(members.getOrDefault("resourceSubscriptions", "[]")).stream()
                        .filter(raw -> raw.startsWith("\""))
                        .map(JsonStrings::decode)
                        .collect(Collectors.toUnmodifiableSet());
                return new Filter(lists, uris);
            } catch (BridgeException unreadable) {
                return new Filter(Set.of(), Set.of());
            }
        }

        private boolean isEmpty() {
            return lists.isEmpty() && uris.isEmpty();
        }

        private String params() {
            var members = new ArrayList<String>();
            lists.forEach(list -> members.add("\"%s\":true".formatted(list.filterKey())));
            if (!uris.isEmpty()) {
                members.add(uris.stream()
                        .map(JsonStrings::quote)
                        .collect(Collectors.joining(",", "\"resourceSubscriptions\":[", "]")));
            }
            return "{\"notifications\":{%s}}".formatted(String.join(",", members));
        }

        /** The notifications that may have been missed while no request was open. */
        private Stream<Notification> changes() {
            return lists.stream().map(ListChange::notification);
        }
    }
}
