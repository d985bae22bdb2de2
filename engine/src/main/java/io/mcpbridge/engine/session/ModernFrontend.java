package io.mcpbridge.engine.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Principal;
import io.mcpbridge.era.ResponseTranslator;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the modern requests of one byte-stream connection or one HTTP listener. The requests are independent; the
 * frontend tracks those in flight. Any thread.
 */
final class ModernFrontend {
    /** The digits of a digest in a client name; enough to rule out equal names. */
    private static final int DIGEST_DIGITS = 32;

    private final DownstreamParts parts;
    private final ClientCalls calls;
    private final ListenStreams subscriptions;

    /** The card of the last request, since most clients repeat the same self-description. */
    private volatile @Nullable ClientDescription last;

    ModernFrontend(DownstreamParts parts, ClientCalls calls, ListenStreams subscriptions) {
        this.parts = parts;
        this.calls = calls;
        this.subscriptions = subscriptions;
    }

    /**
     * Serves a request of a byte stream, or rejects it.
     *
     * @param name the name of the connection
     * @return the self-description of the client; empty if the request was rejected
     */
    Optional<ClientDescription> serve(Request request, Exchange exchange, String name) {
        var rejection = ModernRequestCheck.onStream(request);
        if (rejection.isPresent()) {
            exchange.end(rejection.get());
            return Optional.empty();
        }
        return serveChecked(request, exchange, name);
    }

    /** Serves an HTTP request, or rejects it; the client cancels it by closing the exchange. */
    void serveHttp(Request request, Exchange exchange) {
        var rejection = ModernRequestCheck.onHttp(request, exchange, parts.servers());
        if (rejection.isPresent()) {
            exchange.end(rejection.get());
            return;
        }
        serveChecked(request, exchange, clientName(request, exchange.principal()));
        exchange.onAbandoned(() -> calls.abandoned(exchange));
    }

    /**
     * Returns the name of an HTTP client, which has neither a connection nor a session. Requests of one user with equal
     * client id and equal {@code clientInfo} belong to one client, since nothing else distinguishes them. That includes
     * unauthenticated users: a client that must not receive the server requests of another one sends a token or a
     * client id.
     */
    private static String clientName(Request request, Principal principal) {
        var clientId = request.text(MessageField.CLIENT_ID).orElse("");
        var info = request.raw(MessageField.CLIENT_INFO).orElse("");
        var text = List.of(principal.proof(), principal.name(), clientId, info);
        return "http-" + CanonicalJson.EXACT.sha256(text).substring(0, DIGEST_DIGITS);
    }

    private Optional<ClientDescription> serveChecked(Request request, Exchange exchange, String name) {
        ClientDescription card;
        try {
            card = card(request);
        } catch (ProtocolException malformed) {
            exchange.end(Rejections.invalidParams(
                    request, "'_meta' cannot be read: " + malformed.failure().message()));
            return Optional.empty();
        }
        serve(request, exchange, name, card);
        return Optional.of(card);
    }

    private ClientDescription card(Request request) {
        var known = last;
        if (known == null || !known.isIn(request)) {
            known = ClientDescription.ofEnvelope(request);
            last = known;
        }
        return known;
    }

    private void serve(Request request, Exchange exchange, String name, ClientDescription card) {
        var level =
                request.text(MessageField.LOG_LEVEL).flatMap(LogLevel::parse).orElse(null);
        var caller = card.caller()
                .withPrincipal(exchange.principal())
                .withSession(name)
                .withLogLevel(level);
        var bridge = parts.card();
        switch (request.method()) {
            case Methods.SERVER_DISCOVER -> {
                var result = Response.result(
                        request.id(), bridge.discoverResult(parts.servers().introductions(caller)));
                exchange.end(Ending.answer(ResponseTranslator.modern(result, request, bridge.info())));
            }
            case Methods.SUBSCRIPTIONS_LISTEN -> subscriptions.begin(request, exchange, caller);
            default -> calls.begin(request, exchange, caller, new ResponseWriter.Modern(level, bridge.info()));
        }
    }

    int callsInFlight() {
        return calls.size();
    }

    /** Returns the HTTP clients that have a request in flight, each once, identified by their self-description. */
    Stream<ClientSnapshot> clients(String network) {
        return Stream.concat(calls.activities(), subscriptions.activities())
                .sorted(Comparator.comparing(ClientSnapshot.Activity::since))
                .collect(Collectors.groupingBy(activity -> Identity.of(activity.caller())))
                .values()
                .stream()
                .map(activities -> record(activities, network));
    }

    private static ClientSnapshot record(List<ClientSnapshot.Activity> oldestFirst, String network) {
        var oldest = oldestFirst.get(0);
        var caller = oldest.caller();
        var origin = new ClientSnapshot.Origin(caller.principal(), network, oldest.address(), oldest.since());
        var inFlight =
                oldestFirst.stream().mapToInt(ClientSnapshot.Activity::calls).sum();
        return new ClientSnapshot(caller.session(), ClientDescription.of(caller), origin, inFlight);
    }

    /** Ends all requests, since the clients have disconnected. */
    void close(CancelReason reason) {
        calls.close(reason);
        subscriptions.close();
    }

    /** The identity of a client over HTTP. */
    private record Identity(Principal principal, String clientId, String info, ProtocolVersion version) {

        private static Identity of(Caller caller) {
            return new Identity(caller.principal(), caller.clientId(), caller.info(), caller.version());
        }
    }
}
