package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bridge's messages to one server in the server's dialect, with idempotency key, headers and credentials.
 * Any thread; nothing here waits.
 */
final class RequestWriter {
    /** How long a notification or a response of the bridge may take; it has no caller. */
    private static final Duration ONE_WAY_TIMEOUT = Duration.ofSeconds(10);

    private final UpstreamContext context;
    private final Transport transport;
    private final boolean sharesStream;
    private final Caller caller;
    private final PendingRequests pending;
    private volatile @Nullable Dialect dialect;

    /** The name of the bridge at the other end, if it runs calls with one idempotency key once; else empty. */
    private volatile String idempotencyScope = "";

    /** @param caller whose credentials go with each message */
    RequestWriter(UpstreamContext context, Transport transport, Caller caller, PendingRequests pending) {
        this.context = context;
        this.transport = transport;
        this.sharesStream = transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
        this.caller = caller;
        this.pending = pending;
    }

    /** Sets the dialect of all further messages. */
    void speak(Dialect newDialect, ServerProfile profile) {
        idempotencyScope = profile.keeper();
        dialect = newDialect;
    }

    /** Whether all messages share one stream. */
    boolean sharesStream() {
        return sharesStream;
    }

    /** Whether the dialect is known. */
    boolean isReady() {
        return dialect != null;
    }

    /** Whether each request identifies its client, as in the modern era. */
    boolean isModern() {
        var current = dialect;
        return current != null && current.version().era() == Era.MODERN;
    }

    /** Whether each request stands alone, without a session at the server: modern requests over HTTP do. */
    boolean isStateless() {
        return isModern() && !sharesStream;
    }

    /** The revision of the dialect, once that is known. */
    Optional<ProtocolVersion> version() {
        return Optional.ofNullable(dialect).map(Dialect::version);
    }

    /**
     * The message for a call.
     *
     * @throws CallException if it cannot be made or must not go to this server
     */
    Outgoing call(Call call, MessageId id) {
        if (!mayReceive(call)) {
            throw CallException.of(restarted());
        }
        var current = dialect();
        Request request;
        try {
            request = current.encode(withIdempotencyKey(call), id, call.caller());
        } catch (RuntimeException unfit) {
            throw CallException.of(notSent(ErrorCode.INVALID_PARAMS, String.valueOf(unfit.getMessage()), unfit));
        }
        try {
            return call(call, request, current.version());
        } catch (RuntimeException defect) {
            throw CallException.of(notBuilt(defect));
        }
    }

    private Outgoing call(Call call, Request request, ProtocolVersion version) {
        var additions = additions(call, request.id(), version);
        var headers = isStateless() ? withArguments(call) : call.headers();
        var outgoing =
                Outgoing.of(additions.in(request), version, call.deadline()).withHeaders(additions.in(headers));
        return authorized(call.callerWaits() ? outgoing.withCallerWaiting() : outgoing);
    }

    /**
     * The headers of a call, with those in which a modern server over HTTP expects arguments again, as the schema of the
     * tool demands. A tool that is not listed yet is called without them; a server that misses a header refuses the call
     * before it runs.
     */
    private MessageHeaders withArguments(Call call) {
        var headers = call.headers();
        for (var header : repeatedArguments(call).entrySet()) {
            headers = headers.with(header.getKey(), MirroredHeaders.encode(header.getValue()));
        }
        return headers;
    }

    private Map<String, String> repeatedArguments(Call call) {
        var request = call.request();
        if (!request.method().equals(Methods.TOOLS_CALL)) {
            return Map.of();
        }
        var schema = request.text(MessageField.NAME)
                .flatMap(name -> context.tools().find(call.caller(), name))
                .flatMap(ToolDefinition::inputSchema);
        try {
            return schema.isEmpty()
                    ? Map.of()
                    : ParamHeaders.of(schema.get().text())
                            .texts(request.raw(MessageField.ARGUMENTS).orElse("{}"));
        } catch (ProtocolException unusable) {
            // The server reports what is wrong with the schema or the arguments.
            return Map.of();
        }
    }

    /** Notes that an attempt of the call goes to this server; false if it must not. */
    private boolean mayReceive(Call call) {
        var isKeyed = call.request().method().equals(Methods.TOOLS_CALL);
        return call.idempotencyKey()
                .map(key -> key.sendTo(isKeyed ? idempotencyScope : ""))
                .orElse(true);
    }

    /** The request with its idempotency key and what is left of the attempt's time, where the server uses them. */
    private Request withIdempotencyKey(Call call) {
        var request = call.request();
        var scope = idempotencyScope;
        var key = call.idempotencyKey();
        if (scope.isEmpty() || key.isEmpty() || !request.method().equals(Methods.TOOLS_CALL)) {
            return request;
        }
        var left = Math.max(0, call.deadline().remaining().toMillis());
        var splice = request.splice()
                .putMeta(
                        MetaKeys.IDEMPOTENCY_KEY,
                        JsonStrings.quote(key.orElseThrow().text()))
                .putMeta(MetaKeys.TIMEOUT_MS, Long.toString(left));
        // A stateless server may have restarted without the bridge's knowledge.
        if (key.orElseThrow().isBound()) {
            splice.putMeta(MetaKeys.IDEMPOTENCY_INSTANCE, JsonStrings.quote(scope));
        } else {
            splice.remove(MessageField.IDEMPOTENCY_INSTANCE);
        }
        return (Request) splice.done();
    }

    /**
     * A request of the bridge's own, with what observers of the call add and with credentials.
     *
     * @throws CallException if headers or additions cannot be made
     */
    Outgoing own(Call call, Outgoing bare) {
        try {
            var request = (Request) bare.message();
            var additions = additions(call, request.id(), bare.version());
            return authorized(Outgoing.of(additions.in(request), bare.version(), bare.deadline())
                    .withHeaders(additions.in(bare.headers())));
        } catch (RuntimeException defect) {
            throw CallException.of(notBuilt(defect));
        }
    }

    /** A request of the bridge's own in the server's dialect, without additions. */
    Outgoing own(Call call, MessageId id) {
        var current = dialect();
        var request = current.encode(call.request(), id, call.caller());
        return Outgoing.of(request, current.version(), call.deadline());
    }

    /** Sends a notification or a response; without effect on a closed connection and on stateless ones. */
    void sendOneWay(Message message) {
        if (pending.isClosed() || isStateless()) {
            return;
        }
        // A server may send a ping before the handshake has determined the dialect.
        var version = version().orElse(ProtocolVersion.LATEST_LEGACY);
        var deadline = Deadline.after(ONE_WAY_TIMEOUT, context.environment().timekeeper());
        Outgoing outgoing;
        try {
            outgoing = authorized(Outgoing.of(message, version, deadline));
        } catch (RuntimeException defect) {
            context.dropped()
                    .count("a message to the server: " + notBuilt(defect).message());
            return;
        }
        transport.send(outgoing);
    }

    /** What observers of the attempt send along with it. */
    private Additions additions(Call call, MessageId id, ProtocolVersion version) {
        var watch = call.attemptTracer();
        if (watch == AttemptTracer.NONE) {
            return Additions.NONE;
        }
        var traits = transport.traits();
        return watch.sending(Sending.of(id, version)
                .over(traits.network(), traits.address())
                .in(transport.sessionId().orElse("")));
    }

    private Outgoing authorized(Outgoing outgoing) {
        return sharesStream
                ? outgoing
                : outgoing.withHeaders(context.authorization().with(outgoing.headers(), caller));
    }

    private Dialect dialect() {
        var current = dialect;
        if (current == null) {
            throw new IllegalStateException("the connection to '" + context.server() + "' is not ready");
        }
        return current;
    }

    private Failure restarted() {
        var message = "server '%s' was restarted after the call was sent, so it does not know whether the call has"
                + " run; the bridge does not repeat it";
        return Failure.of(ErrorCode.IN_DOUBT, message.formatted(context.server()))
                .withDelivery(Delivery.UNKNOWN);
    }

    /** Returns the failure for an exception of a plug-in that adds to requests, such as credentials. */
    private Failure notBuilt(RuntimeException cause) {
        if (cause instanceof BridgeException known) {
            return known.failure().withDelivery(Delivery.NOT_SENT);
        }
        return notSent(ErrorCode.INTERNAL_ERROR, "failed to build headers: " + cause, cause);
    }

    private Failure notSent(ErrorCode code, String why, RuntimeException cause) {
        return Failure.of(code, "the request to server '%s' was not sent: %s".formatted(context.server(), why))
                .withCause(cause);
    }
}
