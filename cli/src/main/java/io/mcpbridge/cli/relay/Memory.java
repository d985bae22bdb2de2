package io.mcpbridge.cli.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the client has agreed on with the daemon, so that another daemon can be told: the handshake, the log level and
 * the subscriptions. Any thread.
 */
final class Memory {
    /** More subscriptions than this are not restored. */
    private static final int MOST_SUBSCRIPTIONS = 10_000;

    private final String clientId;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Request initialize;

    @GuardedBy("lock")
    private String capabilities = "{}";

    @GuardedBy("lock")
    private @Nullable Request logLevel;

    @GuardedBy("lock")
    private final Map<String, Request> subscriptions = new LinkedHashMap<>();

    /** @param clientId goes with the handshake, unless it is empty */
    Memory(String clientId) {
        this.clientId = clientId;
    }

    /** The request as the daemon gets it: as it came, the handshake with the client's id. */
    Request introduced(Request request) {
        if (clientId.isEmpty() || !request.method().equals(Methods.INITIALIZE)) {
            return request;
        }
        var params = request.raw(Part.PARAMS).orElse("{}");
        return params.startsWith("{")
                ? (Request) request.splice()
                        .putMeta(Caller.CLIENT_ID_KEY, JsonText.quote(clientId))
                        .done()
                : request;
    }

    /** A request was answered well. */
    void agreed(Request request, Response answer) {
        lock.lock();
        try {
            switch (request.method()) {
                case Methods.INITIALIZE -> {
                    initialize = request;
                    capabilities = answer.raw(Part.RESULT).orElse("{}");
                }
                case Methods.LOGGING_SET_LEVEL -> logLevel = request;
                case Methods.RESOURCES_SUBSCRIBE ->
                    request.text(Part.URI)
                            .filter(uri -> subscriptions.size() < MOST_SUBSCRIPTIONS)
                            .ifPresent(uri -> subscriptions.put(uri, request));
                case Methods.RESOURCES_UNSUBSCRIBE -> request.text(Part.URI).ifPresent(subscriptions::remove);
                default -> {}
            }
        } finally {
            lock.unlock();
        }
    }

    /** What another daemon has to be asked, in this order and with other ids; empty before the handshake. */
    List<Request> toRepeat() {
        lock.lock();
        try {
            var all = new ArrayList<Request>();
            if (initialize != null) {
                all.add(introduced(initialize));
            }
            if (logLevel != null) {
                all.add(logLevel);
            }
            all.addAll(subscriptions.values());
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** What the client has to hear once another daemon is there, since it may have missed it. */
    List<Message> news() {
        lock.lock();
        try {
            if (initialize == null) {
                return List.of();
            }
            var news = new ArrayList<Message>();
            var declared = Settings.parse(capabilities).section("capabilities").keys();
            Map.of(
                            "tools", Methods.TOOLS_LIST_CHANGED,
                            "prompts", Methods.PROMPTS_LIST_CHANGED,
                            "resources", Methods.RESOURCES_LIST_CHANGED)
                    .forEach((kind, method) -> {
                        if (declared.contains(kind)) {
                            news.add(Notification.of(method));
                        }
                    });
            subscriptions
                    .keySet()
                    .forEach(uri -> news.add(
                            Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":" + JsonText.quote(uri) + "}")));
            return news;
        } finally {
            lock.unlock();
        }
    }

    /** The same request under an id of our own. */
    static Request renumbered(Request request, MessageId id) {
        return (Request) request.splice().id(id).done();
    }
}
