package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.ClientCalls;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.listening.ClientListens;
import io.mcpbridge.downstream.registry.ClientCard;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.downstream.session.ClientSession;
import io.mcpbridge.era.MirroredHeaders;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Peer;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The modern era at one HTTP listener: each request has its own exchange, and who leaves that withdraws the request.
 * Any thread.
 */
public final class ModernHttp {
    private final Peer peer;
    private final ClientCalls calls;
    private final ClientListens listens;
    private final ModernFront front;
    private final ParamHeaderCheck params;

    /**
     * Serves nobody yet.
     *
     * @param peer the listener
     * @param tables where what comes from there is kept
     */
    public ModernHttp(DownstreamParts parts, Peer peer, Tables tables) {
        this.peer = peer;
        this.calls = tables.calls();
        this.listens = tables.listens();
        this.params = new ParamHeaderCheck(parts.schemas());
        this.front = new ModernFront(parts, calls, listens);
    }

    /** Takes what is written in the modern era or says so in its header; false if it belongs to the legacy era. */
    public boolean takes(Exchange exchange) {
        var message = exchange.message().orElse(null);
        if (message instanceof Request request && request.has(Part.PROTOCOL_VERSION)) {
            serve(request, exchange);
            return true;
        }
        var headers = exchange.metadata();
        var version = headers.first(MirroredHeaders.VERSION).orElse("");
        if (headers.first(ClientSession.SESSION_HEADER).isPresent() || !ModernRequestCheck.isServed(version)) {
            return false;
        }
        return takesByHeader(message, exchange, version);
    }

    private void serve(Request request, Exchange exchange) {
        var headers = exchange.metadata();
        var refusal =
                ModernRequestCheck.onHttp(request, headers).or(() -> params.of(request, exchange.principal(), headers));
        if (refusal.isPresent()) {
            exchange.end(refusal.get());
            return;
        }
        front.serve(request, exchange, HttpClientNames.of(request, exchange.principal()));
        exchange.onAbandoned(() -> calls.abandoned(exchange));
    }

    private static boolean takesByHeader(@Nullable Message message, Exchange exchange, String version) {
        if (message instanceof Request request) {
            exchange.end(withoutClaim(request, version));
        } else if (message instanceof Notification) {
            // The era has none that a client sends over HTTP, but says nowhere that they are wrong.
            exchange.end(Ending.accepted());
        } else if (exchange.kind() != Exchange.Kind.MESSAGE) {
            exchange.end(Ending.refused(405).withHeader("Allow", "POST"));
        } else {
            return false;
        }
        return true;
    }

    private static Ending withoutClaim(Request request, String version) {
        if (request.method().equals(Methods.INITIALIZE)) {
            return ModernErrors.headerMismatch(
                    request,
                    "'initialize' belongs to revisions before 2026-07-28, but the header '%s' is '%s'"
                            .formatted(MirroredHeaders.VERSION, version));
        }
        return ModernErrors.invalidEnvelope(
                request,
                "'_meta' lacks '%s', though the header '%s' is '%s'"
                        .formatted(EnvelopeKeys.PROTOCOL_VERSION, MirroredHeaders.VERSION, version));
    }

    /** How many requests have no answer yet. */
    public int callsInFlight() {
        return calls.size();
    }

    /** The clients that wait or listen, each once: who they are is all that tells them apart. */
    public Stream<ClientRecord> records() {
        var waiting = calls.all().stream().map(call -> new Presence(call.call().caller(), call.since(), 1));
        var listening = listens.all().stream().map(stream -> new Presence(stream.caller(), stream.since(), 0));
        return Stream.concat(waiting, listening)
                .sorted(Comparator.comparing(Presence::since))
                .collect(Collectors.groupingBy(Presence::self))
                .values()
                .stream()
                .map(this::record);
    }

    private ClientRecord record(List<Presence> oldestFirst) {
        var oldest = oldestFirst.get(0);
        var caller = oldest.caller();
        var card = ClientCard.of(caller);
        var origin = new ClientRecord.Origin(caller.principal(), peer.network(), peer.address(), oldest.since());
        var underWay = oldestFirst.stream().mapToInt(Presence::calls).sum();
        return ClientRecord.of(caller.session(), card, origin, underWay);
    }

    /** The listener is gone; ends everything that came from it. */
    public void close(CancelReason reason) {
        calls.close(reason);
        listens.close();
    }

    /**
     * What is under way, each known by its exchange.
     *
     * @param calls requests
     * @param listens streams of {@code subscriptions/listen}
     */
    public record Tables(ClientCalls calls, ClientListens listens) {}

    /** A request that has not ended: what shows of a client that has no connection. */
    private record Presence(Caller caller, Instant since, int calls) {

        private Self self() {
            return Self.of(caller);
        }
    }

    /** What a client says of itself, and who it proved to be. */
    private record Self(Principal principal, String clientId, String info, ProtocolVersion version) {

        private static Self of(Caller caller) {
            return new Self(caller.principal(), caller.clientId(), caller.info(), caller.version());
        }
    }
}
