package io.mcpbridge.cli.relay;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Settings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The session state of the client, to restore it at a restarted daemon: handshake, log level and subscriptions.
 * Thread-safe.
 */
final class SessionState {
    /** Further subscriptions are not restored. */
    private static final int MAX_SUBSCRIPTIONS = 10_000;

    /** The notification for each capability with a list. */
    private static final Map<String, String> LIST_CHANGES = Map.of(
            "tools", Methods.TOOLS_LIST_CHANGED,
            "prompts", Methods.PROMPTS_LIST_CHANGED,
            "resources", Methods.RESOURCES_LIST_CHANGED);

    private final String clientId;
    private final Map<String, Request> subscriptions = Collections.synchronizedMap(new LinkedHashMap<>());
    private volatile @Nullable Handshake handshake;
    private volatile @Nullable Request logLevel;

    /** The successful handshake and what the daemon answered. */
    private record Handshake(Request initialize, String result) {}

    /** @param clientId added to the handshake, unless it is empty */
    SessionState(String clientId) {
        this.clientId = clientId;
    }

    /** The request for the daemon: unchanged, or the handshake with the client id. */
    Request withClientId(Request request) {
        if (clientId.isEmpty() || !request.method().equals(Methods.INITIALIZE)) {
            return request;
        }
        var params = request.raw(MessageField.PARAMS).orElse("{}");
        return params.startsWith("{")
                ? (Request) request.splice()
                        .putMeta(Caller.CLIENT_ID_KEY, JsonStrings.quote(clientId))
                        .done()
                : request;
    }

    /** Records a request that has succeeded. */
    void succeeded(Request request, Response answer) {
        switch (request.method()) {
            case Methods.INITIALIZE ->
                handshake =
                        new Handshake(request, answer.raw(MessageField.RESULT).orElse("{}"));
            case Methods.LOGGING_SET_LEVEL -> logLevel = request;
            case Methods.RESOURCES_SUBSCRIBE ->
                request.text(MessageField.URI)
                        .filter(uri -> subscriptions.size() < MAX_SUBSCRIPTIONS)
                        .ifPresent(uri -> subscriptions.put(uri, request));
            case Methods.RESOURCES_UNSUBSCRIBE -> request.text(MessageField.URI).ifPresent(subscriptions::remove);
            default -> {}
        }
    }

    /** The requests that restore the state at another daemon, in order; empty before the handshake. */
    List<Request> restoringRequests() {
        var known = handshake;
        var initialize = known == null ? Stream.<Request>empty() : Stream.of(withClientId(known.initialize));
        var settings = Stream.concat(Stream.ofNullable(logLevel), List.copyOf(subscriptions.values()).stream());
        return Stream.concat(initialize, settings).toList();
    }

    /** The change notifications for the client after a reconnect, because it may have missed some. */
    List<Message> changeNotifications() {
        var known = handshake;
        if (known == null) {
            return List.of();
        }
        var declared = Settings.parse(known.result).section("capabilities").keys();
        var lists = LIST_CHANGES.entrySet().stream()
                .filter(list -> declared.contains(list.getKey()))
                .map(list -> Notification.of(list.getValue()));
        var resources = List.copyOf(subscriptions.keySet()).stream()
                .map(uri -> Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":" + JsonStrings.quote(uri) + "}"));
        return Stream.<Message>concat(lists, resources).toList();
    }

    /** The same request with another id. */
    static Request withId(Request request, MessageId id) {
        return (Request) request.splice().id(id).done();
    }
}
