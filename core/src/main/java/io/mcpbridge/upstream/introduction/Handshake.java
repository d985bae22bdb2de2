package io.mcpbridge.upstream.introduction;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.LegacyDialect;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.session.SessionLine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opens a session in the legacy era: {@code initialize}, its answer, {@code notifications/initialized}. */
final class Handshake {
    private static final List<ProtocolVersion> LEGACY = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.LEGACY)
            .toList();

    /** Hears once how the handshake ended. */
    interface Ending {

        void ready(ServerProfile profile);

        /** It will not do; {@code error} is the server's own word, where it answered with one. */
        void refused(Failure why, Optional<Response> error);
    }

    private final SessionLine session;
    private final Caller caller;
    private final Identity identity;
    private final Deadline deadline;
    private final Ending ending;

    Handshake(SessionLine session, Caller caller, Identity identity, Deadline deadline, Ending ending) {
        this.session = session;
        this.caller = caller;
        this.identity = identity;
        this.deadline = deadline;
        this.ending = ending;
    }

    void begin() {
        var request = Request.of(session.mintId(), Methods.INITIALIZE, params());
        var call = Call.of(request, caller, "initialize-" + session.server(), deadline);
        var alarm = deadline.alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        var outgoing = Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, deadline);
        session.sendOwn(call, outgoing, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                alarm.cancel();
                answered(outcome);
            }
        });
    }

    private void answered(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            ending.refused(failed.failure(), Optional.empty());
            return;
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            var error = JsonRpcErrors.toFailure(response);
            var refused = initFailed("refused the handshake: " + error.message());
            ending.refused(error.serverError().map(refused::withServerError).orElse(refused), Optional.of(response));
            return;
        }
        ServerProfile profile;
        try {
            profile = profile(response);
        } catch (BridgeException | IllegalArgumentException unusable) {
            refused("answered the handshake with what cannot be used: " + unusable.getMessage());
            return;
        }
        accept(profile);
    }

    private void accept(ServerProfile profile) {
        if (!LEGACY.contains(profile.version())) {
            refused("speaks protocol version '%s' after a handshake, but the bridge knows %s"
                    .formatted(profile.version().text(), LEGACY));
            return;
        }
        session.speak(new LegacyDialect(profile.version()));
        session.sendAside(Notification.of(Methods.INITIALIZED));
        ending.ready(profile);
    }

    private void refused(String what) {
        ending.refused(initFailed(what), Optional.empty());
    }

    private Failure initFailed(String what) {
        return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "server '%s' %s".formatted(session.server(), what));
    }

    private String params() {
        return "{\"protocolVersion\":%s,\"capabilities\":%s,\"clientInfo\":%s%s}"
                .formatted(
                        JsonText.quote(ProtocolVersion.LATEST_LEGACY.text()),
                        caller.promised(),
                        identity.clientInfo(),
                        clientId());
    }

    /** Told only where one is configured, so that other servers see nothing unusual. */
    private String clientId() {
        return identity.clientId().isEmpty()
                ? ""
                : ",\"processId\":%d,\"_meta\":{\"%s\":%s}"
                        .formatted(
                                ProcessHandle.current().pid(),
                                Caller.CLIENT_ID_KEY,
                                JsonText.quote(identity.clientId()));
    }

    private static ServerProfile profile(Response response) {
        var result = Json.rawMembers(response.raw(Part.RESULT).orElse("{}"));
        var info = Json.rawMembers(result.getOrDefault("serverInfo", "{}"));
        return new ServerProfile(
                new ProtocolVersion(text(result, "protocolVersion")),
                text(info, "name"),
                text(info, "version"),
                result.getOrDefault("capabilities", "{}"),
                text(result, "instructions"));
    }

    private static String text(Map<String, String> members, String key) {
        var raw = members.getOrDefault(key, "\"\"");
        return raw.startsWith("\"") ? JsonText.decode(raw) : raw;
    }
}
