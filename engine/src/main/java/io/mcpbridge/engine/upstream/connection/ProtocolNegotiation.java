package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.ServerSettings.ProtocolChoice;
import io.mcpbridge.engine.upstream.connection.EraMemory.Evidence;
import io.mcpbridge.era.Dialect.LegacyDialect;
import io.mcpbridge.era.Dialect.ModernDialect;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Agrees with a server on era and version over a new connection: from the configuration, from an earlier connection, or
 * by a discovery, whose time-out is the setting {@code discovery-timeout}. Used once; no method blocks.
 *
 * <p>A known era holds until the server contradicts it: a legacy server that rejects {@code initialize} gets {@code
 * server/discover}, and a modern one that rejects {@code server/discover} gets a handshake.
 */
public final class ProtocolNegotiation {
    private static final List<ProtocolVersion> LEGACY = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.LEGACY)
            .toList();

    private final UpstreamParts parts;
    private final EraMemory memory;
    private final ServerConnection connection;
    private final Caller caller;
    private final Deadline deadline;
    private final Listener listener;
    private @Nullable Era known;
    private boolean hasDiscovered;

    /** Receives the result of the negotiation, once. */
    public interface Listener {

        void ready(ServerProfile profile);

        void rejected(Failure why);

        /**
         * The server ended the connection at {@code server/discover}; a new connection has to start with the handshake.
         */
        void endedWhenAsked(Failure why);
    }

    /**
     * Prepares the negotiation over {@code connection}.
     *
     * @param caller for whom the connection is opened
     * @param deadline for the whole negotiation
     */
    public ProtocolNegotiation(
            UpstreamContext context, ServerConnection connection, Caller caller, Deadline deadline, Listener listener) {
        this.parts = context.parts();
        this.memory = context.eras();
        this.connection = connection;
        this.caller = caller;
        this.deadline = deadline;
        this.listener = listener;
        this.known = memory.known().orElse(null);
    }

    /** Starts in the configured or remembered era, else with the discovery. */
    public void begin() {
        if (choice() == ProtocolChoice.LEGACY) {
            initialize(Optional.of(Evidence.CONFIGURED));
        } else if (choice() == ProtocolChoice.AUTO && known == Era.LEGACY) {
            initialize(Optional.empty());
        } else {
            discover();
        }
    }

    /** Continues after {@link Listener#endedWhenAsked}, over a new connection. */
    public void beginWithHandshake() {
        hasDiscovered = true;
        initialize(Optional.of(Evidence.ENDED));
    }

    private ProtocolChoice choice() {
        return parts.settings().protocol();
    }

    private void discover() {
        hasDiscovered = true;
        discover(ProtocolVersion.LATEST, discoveryDeadline(), false);
    }

    /**
     * Returns the deadline of the discovery: the configured time-out, but at most half of the remaining time if a
     * handshake may follow on the same stream.
     */
    private Deadline discoveryDeadline() {
        if (!connection.sharesStream() || !mayBeLegacy()) {
            return deadline;
        }
        var half = deadline.remaining().dividedBy(2);
        var timeout = parts.settings().discoveryTimeout();
        var shorter = timeout.compareTo(half) < 0 ? timeout : half;
        return Deadline.after(
                shorter.isZero() ? Duration.ofNanos(1) : shorter,
                parts.environment().timekeeper());
    }

    /** Whether silence or an end may mean the legacy era: the era is neither configured nor known to be modern. */
    private boolean mayBeLegacy() {
        return choice() == ProtocolChoice.AUTO && known != Era.MODERN;
    }

    /**
     * Asks {@code server/discover}, which only the modern era knows.
     *
     * @param until when the answer must be there
     * @param isSecond whether the server was asked before, and named this version
     */
    private void discover(ProtocolVersion version, Deadline until, boolean isSecond) {
        var call = parts.call("discover", Methods.SERVER_DISCOVER, "{}", caller).withDeadline(until);
        Function<MessageId, Outgoing> message =
                id -> Outgoing.of(dialect(version).encode(call.request(), id, caller), version, until);
        connection.sendOwn(call, message, outcome -> {
            if (outcome instanceof Outcome.Answered answered) {
                discovered(version, answered.response(), until, isSecond);
            } else if (call.cancellation().isCancelled()) {
                silent();
            } else {
                notDiscovered(((Outcome.Failed) outcome).failure());
            }
        });
    }

    private ModernDialect dialect(ProtocolVersion version) {
        var identity = parts.identity();
        return new ModernDialect(version, identity.clientInfo(), identity.clientId());
    }

    private void discovered(ProtocolVersion version, Response response, Deadline until, boolean isSecond) {
        Discovered answer;
        Optional<ServerProfile> profile;
        try {
            answer = Discovered.read(response);
            profile = answer.isResult() ? answer.common().map(answer::profile) : Optional.empty();
        } catch (BridgeException | IllegalArgumentException unusable) {
            legacy("an answer that cannot be used: " + unusable.getMessage());
            return;
        }
        var common = answer.common();
        if (profile.isPresent()) {
            connection.speak(dialect(profile.get().version()), profile.get());
            memory.remember(profile.get().version(), Evidence.DISCOVERED);
            listener.ready(profile.get());
        } else if (common.isPresent() && !isSecond) {
            // The server requests another version, or this one again. There is no third request, since it might lead to
            // an endless loop.
            discover(common.get(), until, true);
        } else if (common.isPresent()) {
            listener.rejected(initFailed("refuses protocol version %s, which it says it speaks".formatted(version)));
        } else if (answer.isUnknownModern()) {
            listener.rejected(initFailed("speaks protocol versions %s, but the bridge knows %s"
                    .formatted(answer.supported(), ProtocolVersion.KNOWN)));
        } else {
            legacy(answer.description());
        }
    }

    private void notDiscovered(Failure failure) {
        if (connection.isClosed() && connection.sharesStream()) {
            ended(failure);
            return;
        }
        var status = failure.status().orElse(0);
        var isClientError = status >= 400 && status < 500;
        // Failures of credentials, time-outs and rate limits do not show the era.
        var saysNothing = status == 401 || status == 403 || status == 408 || status == 429;
        if ((isClientError && !saysNothing) || failure.code() == ErrorCode.UPSTREAM_INVALID) {
            legacy(failure.message());
        } else {
            listener.rejected(failure);
        }
    }

    private void legacy(String answer) {
        if (choice() == ProtocolChoice.MODERN) {
            var what = "does not speak %s, which 'protocol' demands: it answered 'server/discover' with %s;"
                    + " write 'protocol': 'auto'";
            listener.rejected(initFailed(what.formatted(choice().text(), answer)));
            return;
        }
        initialize(Optional.of(Evidence.REFUSED));
    }

    private void silent() {
        if (mayBeLegacy() && connection.sharesStream()) {
            initialize(Optional.of(Evidence.SILENT));
            return;
        }
        var message = "'server/discover' to server '%s' timed out after %d ms";
        listener.rejected(Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                message.formatted(connection.server(), deadline.span().toMillis())));
    }

    private void ended(Failure why) {
        if (mayBeLegacy()) {
            listener.endedWhenAsked(why);
            return;
        }
        memory.doubt();
        listener.rejected(why);
    }

    /**
     * Begins the handshake of the legacy era.
     *
     * @param evidence what showed that the server is legacy; empty where that was known
     */
    private void initialize(Optional<Evidence> evidence) {
        var params = initializeParams();
        var call = parts.call("initialize", Methods.INITIALIZE, params, caller).withDeadline(deadline);
        Function<MessageId, Outgoing> message =
                id -> Outgoing.of(Request.of(id, Methods.INITIALIZE, params), ProtocolVersion.LATEST_LEGACY, deadline);
        connection.sendOwn(call, message, outcome -> initialized(evidence, outcome));
    }

    private String initializeParams() {
        return "{\"protocolVersion\":%s,\"capabilities\":%s,\"clientInfo\":%s%s}"
                .formatted(
                        JsonStrings.quote(ProtocolVersion.LATEST_LEGACY.text()),
                        caller.promised(),
                        parts.identity().clientInfo(),
                        clientId());
    }

    /** Returns the client id as JSON, only if one is configured, so that other servers see no unknown member. */
    private String clientId() {
        var id = parts.identity().clientId();
        return id.isEmpty()
                ? ""
                : ",\"processId\":%d,\"_meta\":{\"%s\":%s}"
                        .formatted(ProcessHandle.current().pid(), Caller.CLIENT_ID_KEY, JsonStrings.quote(id));
    }

    private void initialized(Optional<Evidence> evidence, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            listener.rejected(failed.failure());
            return;
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            handshakeRejected(response);
            return;
        }
        ServerProfile profile;
        try {
            profile = profile(response);
        } catch (BridgeException | IllegalArgumentException unusable) {
            listener.rejected(
                    initFailed("answered the handshake with a result that cannot be used: " + unusable.getMessage()));
            return;
        }
        if (!LEGACY.contains(profile.version())) {
            listener.rejected(initFailed("speaks protocol version '%s' after a handshake, but the bridge knows %s"
                    .formatted(profile.version().text(), LEGACY)));
            return;
        }
        connection.speak(new LegacyDialect(profile.version()), profile);
        connection.sendOneWay(Notification.of(Methods.INITIALIZED));
        evidence.ifPresent(shown -> memory.remember(profile.version(), shown));
        listener.ready(profile);
    }

    private static ServerProfile profile(Response response) {
        var result = JsonCodec.rawMembers(response.raw(MessageField.RESULT).orElse("{}"));
        var info = JsonCodec.rawMembers(result.getOrDefault("serverInfo", "{}"));
        return ServerProfile.of(new ProtocolVersion(ServerProfile.text(result, "protocolVersion")), info, result);
    }

    private void handshakeRejected(Response response) {
        if (choice() == ProtocolChoice.AUTO && mayBeModern(response)) {
            known = hasDiscovered ? Era.MODERN : null;
            memory.doubt();
            discover();
            return;
        }
        var error = JsonRpcErrorMapper.toFailure(response);
        var rejected = initFailed("refused the handshake: " + error.message());
        listener.rejected(error.serverError().map(rejected::withServerError).orElse(rejected));
    }

    /**
     * Whether a server that missed the discovery turns out to be modern, since it was slow to start; it gets a second
     * discovery.
     */
    private boolean mayBeModern(Response error) {
        return hasDiscovered
                ? known != Era.MODERN && ResponseClassifier.asksForModern(error)
                : ResponseClassifier.isVersionRefusal(error) || ResponseClassifier.isMethodUnknown(error);
    }

    private Failure initFailed(String what) {
        return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "server '%s' %s".formatted(connection.server(), what));
    }

    /**
     * The answer of a server to {@code server/discover}.
     *
     * @param isResult whether it is a result rather than an error
     * @param supported the revisions that it names, in its order; none where it is no answer of the modern era
     * @param members the members of the result
     * @param description the answer in words, for messages
     */
    private record Discovered(
            boolean isResult, List<String> supported, Map<String, String> members, String description) {
        /**
         * Reads an answer.
         *
         * @throws BridgeException if it is no JSON object
         * @throws IllegalArgumentException if a text in it is none
         */
        private static Discovered read(Response response) {
            if (!response.isError()) {
                var result =
                        JsonCodec.rawMembers(response.raw(MessageField.RESULT).orElse("{}"));
                var supported = ResponseClassifier.versions(result.get("supportedVersions"));
                return new Discovered(true, supported, result, "a result without versions");
            }
            var description = JsonRpcErrorMapper.toFailure(response).message();
            var supported = ResponseClassifier.isVersionRefusal(response)
                    ? ResponseClassifier.supportedVersions(response)
                    : List.<String>of();
            return new Discovered(false, supported, Map.of(), description);
        }

        /** The newest modern revision that both sides speak. */
        private Optional<ProtocolVersion> common() {
            return ProtocolVersion.KNOWN.stream()
                    .filter(known -> known.era() == Era.MODERN && supported.contains(known.text()))
                    .max(Comparator.comparing(ProtocolVersion::text));
        }

        /** Whether it names only modern revisions, all of them unknown here. */
        private boolean isUnknownModern() {
            return !supported.isEmpty()
                    && supported.stream().allMatch(text -> new ProtocolVersion(text).era() == Era.MODERN);
        }

        /**
         * Returns the profile of the server.
         *
         * @throws BridgeException if a part of it is no JSON object that can be read
         */
        private ServerProfile profile(ProtocolVersion version) {
            var meta = ServerProfile.members(members.get("_meta"));
            var info = ServerProfile.members(meta.getOrDefault(MetaKeys.SERVER_INFO, members.get("serverInfo")));
            var profile = ServerProfile.of(version, info, members);
            ServerProfile.members(profile.capabilities()).values().forEach(ServerProfile::members);
            return profile;
        }
    }
}
