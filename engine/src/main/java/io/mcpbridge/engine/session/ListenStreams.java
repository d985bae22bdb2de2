package io.mcpbridge.engine.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.ListChange;
import io.mcpbridge.era.ResponseTranslator;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@code subscriptions/listen} streams of one connection or listener. Any thread.
 *
 * <p>A stream first subscribes to its resources at the servers, then acknowledges the granted ones, and then passes on
 * the notifications that match its filter.
 */
final class ListenStreams {
    /** How long the acknowledgement waits for the slowest server. */
    private static final Duration SUBSCRIBE_TIMEOUT = Duration.ofSeconds(10);

    private final DownstreamParts parts;
    private final Shared shared;
    private final ClientCalls.Key key;
    private final Map<Object, ListenStream> open = new ConcurrentHashMap<>();

    /** The state that the streams of all clients share: the quota per principal and the set of open streams. */
    static final class Shared {
        private final PrincipalQuota quota;
        private final Set<ListenStream> streams = ConcurrentHashMap.newKeySet();

        Shared(PrincipalQuota quota) {
            this.quota = quota;
        }

        void send(Notification notification) {
            streams.forEach(stream -> stream.send(notification));
        }

        /** Ends all streams, each with its result. */
        void end() {
            streams.forEach(ListenStream::end);
        }
    }

    ListenStreams(DownstreamParts parts, Shared shared, ClientCalls.Key key) {
        this.parts = parts;
        this.shared = shared;
        this.key = key;
    }

    /** Opens a stream, or rejects the request. */
    void begin(Request request, Exchange exchange, Caller from) {
        Filter filter;
        try {
            filter = Filter.read(request);
        } catch (ProtocolException malformed) {
            exchange.end(Rejections.invalidParams(request, malformed.failure().message()));
            return;
        }
        var principal = exchange.principal();
        if (!shared.quota.tryAcquire(principal)) {
            var why =
                    "%d streams of 'subscriptions/listen' are open already, which is the limit 'limits.subscriptions' per"
                            + " principal";
            exchange.end(Rejections.of(
                    Rejections.TOO_MANY_REQUESTS,
                    request,
                    Failure.of(ErrorCode.OVERLOADED, why.formatted(shared.quota.limit()))));
            return;
        }
        var stream = new ListenStream(request, exchange, from);
        register(key.of(request, exchange), stream, principal);
        exchange.onAbandoned(stream::leave);
        stream.subscribe(filter);
    }

    private void register(Object which, ListenStream stream, Principal principal) {
        open.put(which, stream);
        shared.streams.add(stream);
        stream.onClosed(() -> {
            open.remove(which, stream);
            shared.streams.remove(stream);
            shared.quota.release(principal);
        });
    }

    /** Whether a stream with this id is open; only where ids identify requests. */
    boolean has(MessageId id) {
        return open.containsKey(id);
    }

    /** Cancels the stream with this id, if it exists. */
    void cancel(MessageId id) {
        var stream = open.get(id);
        if (stream != null) {
            stream.leave();
        }
    }

    /** Returns the open streams as activities of their clients. */
    Stream<ClientSnapshot.Activity> activities() {
        return open.values().stream()
                .map(stream -> new ClientSnapshot.Activity(
                        stream.caller, stream.exchange.remote().hostAndPort(), stream.since, 0));
    }

    /** Ends all streams, since the clients have disconnected. */
    void close() {
        open.values().forEach(ListenStream::leave);
    }

    /** One stream, whose messages carry the id of its request. */
    private final class ListenStream implements NotificationSink {
        private final Request request;
        private final Exchange exchange;
        private final Instant since = parts.environment().timekeeper().now();
        private final Caller caller;
        private final Cancellation gone = new Cancellation();

        /** The acknowledged filter; null before the acknowledgement. */
        private volatile @Nullable Filter filter;

        private ListenStream(Request request, Exchange exchange, Caller from) {
            this.request = request;
            this.exchange = exchange;
            this.caller = from.withNotificationSink(this);
        }

        /** Subscribes to the resources, and opens the stream with those that were granted. */
        private void subscribe(Filter wanted) {
            var granted = new ConcurrentSkipListSet<String>();
            // Counts one more than the resources, so that immediate answers do not open the stream early.
            var missing = new AtomicInteger(wanted.resources.size() + 1);
            Runnable arrived = () -> {
                if (missing.decrementAndGet() == 0) {
                    open(wanted.restrictedTo(granted));
                }
            };
            wanted.resources.forEach(uri -> subscribe(uri, outcome -> {
                if (outcome instanceof Outcome.Answered answered
                        && !answered.response().isError()) {
                    granted.add(uri);
                }
                arrived.run();
            }));
            arrived.run();
        }

        private void subscribe(String uri, Reply reply) {
            var environment = parts.environment();
            var params = "{\"uri\":" + JsonStrings.quote(uri) + "}";
            var call = Call.of(
                    Request.of(MessageId.of(uri), Methods.RESOURCES_SUBSCRIBE, params),
                    caller,
                    Call.newCorrelationId(environment.random()),
                    Deadline.after(SUBSCRIBE_TIMEOUT, environment.timekeeper()));
            parts.handler().handle(call, reply);
            onClosed(() -> call.cancellation().cancel(CancelReason.CLIENT_GONE));
        }

        /** Acknowledges the filter; ends the stream at once if its filter is empty. */
        private void open(Filter granted) {
            var params = "{\"notifications\":" + granted.json() + "}";
            exchange.offer(stamped(Notification.of(Methods.SUBSCRIPTIONS_ACKNOWLEDGED, params)));
            filter = granted;
            if (granted.isEmpty()) {
                end();
            }
        }

        @Override
        public void send(Notification notification) {
            var acknowledged = filter;
            if (acknowledged != null && acknowledged.wants(notification)) {
                exchange.offer(stamped(notification));
            }
        }

        private Notification stamped(Notification notification) {
            return (Notification) notification
                    .splice()
                    .putMeta(MetaKeys.SUBSCRIPTION_ID, request.id().raw())
                    .done();
        }

        @Override
        public Cancellation.Registration onClosed(Runnable action) {
            return gone.onCancel(reason -> action.run());
        }

        /** Ends the stream with the result of its request. */
        private void end() {
            var meta = "{\"_meta\":{\"%s\":%s}}"
                    .formatted(MetaKeys.SUBSCRIPTION_ID, request.id().raw());
            var result = Response.result(request.id(), meta);
            exchange.end(Ending.answer(
                    ResponseTranslator.modern(result, request, parts.card().info())));
            gone.cancel(CancelReason.CLIENT_GONE);
        }

        /** Ends the stream, since the client has cancelled the request or disconnected. */
        private void leave() {
            exchange.end(Ending.empty());
            gone.cancel(CancelReason.CLIENT_GONE);
        }
    }

    /**
     * The filter of one stream.
     *
     * @param changes the lists whose changes are wanted
     * @param resources the resources whose updates are wanted
     */
    private record Filter(Set<ListChange> changes, Set<String> resources) {
        /** A bound for the subscribe requests that one client request causes. */
        private static final int MAX_RESOURCES = 256;

        private static final String RESOURCES = "resourceSubscriptions";

        /**
         * Reads {@code params.notifications}.
         *
         * @throws ProtocolException if it violates the specification
         */
        private static Filter read(Request listen) {
            var params = JsonCodec.rawMembers(listen.raw(MessageField.PARAMS).orElse("{}"));
            var raw = params.getOrDefault("notifications", "");
            if (!raw.startsWith("{")) {
                throw invalid("'notifications' to be an object, {} for nothing", raw);
            }
            var members = JsonCodec.rawMembers(raw);
            var changes = Stream.of(ListChange.values())
                    .filter(change -> isWanted(change.filterKey(), members.getOrDefault(change.filterKey(), "false")))
                    .collect(Collectors.toUnmodifiableSet());
            return new Filter(changes, resources(members.getOrDefault(RESOURCES, "[]")));
        }

        private static boolean isWanted(String key, String raw) {
            if (!raw.equals("true") && !raw.equals("false")) {
                throw invalid("'notifications.%s' to be true or false".formatted(key), raw);
            }
            return raw.equals("true");
        }

        private static Set<String> resources(String raw) {
            List<String> elements = raw.startsWith("[") ? JsonCodec.rawElements(raw) : List.of(raw);
            if (!raw.startsWith("[") || !elements.stream().allMatch(uri -> uri.startsWith("\""))) {
                throw invalid("'notifications.%s' to be an array of texts".formatted(RESOURCES), raw);
            }
            var uris = elements.stream().map(JsonStrings::decode).collect(Collectors.toCollection(LinkedHashSet::new));
            if (uris.size() > MAX_RESOURCES) {
                throw invalid(
                        "'notifications.%s' to name %d resources at the most".formatted(RESOURCES, MAX_RESOURCES),
                        Integer.toString(uris.size()));
            }
            return uris;
        }

        private Filter restrictedTo(Set<String> granted) {
            var kept = new LinkedHashSet<>(resources);
            kept.retainAll(granted);
            return new Filter(changes, kept);
        }

        /**
         * Whether the filter matches a notification. Matches every resource update if resources are wanted, since only
         * servers of these resources send updates to the stream.
         */
        private boolean wants(Notification notification) {
            return notification.method().equals(Methods.RESOURCES_UPDATED)
                    ? !resources.isEmpty()
                    : changes.stream().anyMatch(change -> change.isAnnouncedBy(notification));
        }

        private boolean isEmpty() {
            return changes.isEmpty() && resources.isEmpty();
        }

        /** Returns the raw JSON of the acknowledgement. */
        private String json() {
            var json = new StringJoiner(",", "{", "}");
            changes.stream().map(ListChange::filterKey).sorted().forEach(key -> json.add("\"" + key + "\":true"));
            if (!resources.isEmpty()) {
                var uris = resources.stream().map(JsonStrings::quote).collect(Collectors.joining(",", "[", "]"));
                json.add("\"" + RESOURCES + "\":" + uris);
            }
            return json.toString();
        }

        private static ProtocolException invalid(String rule, String found) {
            var shown = found.isEmpty() ? "none" : VisibleText.beginning(found, 100);
            return ProtocolException.malformed(
                    ErrorCode.INVALID_PARAMS, "'subscriptions/listen' needs %s, but has %s".formatted(rule, shown));
        }
    }
}
