package io.mcpbridge.call;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, and what may be asked of them. Immutable, but for the client behind {@link #client()}.
 *
 * <p>A downstream session makes one and shares it among its calls; the front door has one per bridge.
 *
 * @param clientId the id that the client gave itself, or the empty string
 * @param session our name for the client's session, unique in this process; for logs and to distinguish sessions
 * @param home the name of the client whose sessions of servers are used: its own session, or that of the client in whose
 *     place the bridge asks for something
 * @param capabilities what servers may ask this client, as canonical JSON: {@code elicitation}, {@code roots} and {@code
 *     sampling} of what it declared, in this order and with nothing but what the specification knows of them. Equal texts
 *     can share a session of a server
 * @param declared the client's capabilities, raw JSON as it declared them; what {@code capabilities} is made from
 * @param info what the client says of itself, the raw JSON of its {@code clientInfo}; proves nothing
 * @param logLevel the mildest log messages that the client wants; empty if it asked for none
 * @param client where a server's requests to this client go, such as elicitation; rejects where no client can answer
 * @param audience where the client receives what belongs to none of its requests
 */
public record Caller(
        Principal principal,
        String clientId,
        String session,
        String home,
        ProtocolVersion version,
        String capabilities,
        String declared,
        String info,
        Optional<LogLevel> logLevel,
        Handler client,
        NotificationSink audience) {
    /** Where a handshake carries the id that a client was configured with, within {@code _meta}. */
    public static final String CLIENT_ID_KEY = "io.mcpbridge/clientId";

    /** All that servers can ask, in the form of {@link #capabilities()}. */
    public static final String EVERYTHING =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{},\"sampling\":{\"context\":{},\"tools\":{}}}";

    private static final Handler NO_CLIENT = (call, reply) -> reply.done(Outcome.failed(Failure.of(
            ErrorCode.METHOD_NOT_FOUND,
            "The client cannot be asked '%s': it declared no capability for it."
                    .formatted(call.request().method()))));

    /** A caller that proves and promises nothing, to begin with. */
    public static final Caller ANONYMOUS = new Caller(
            Principal.ANONYMOUS,
            "",
            "",
            "",
            ProtocolVersion.LATEST_LEGACY,
            "{}",
            "{}",
            "{}",
            Optional.empty(),
            NO_CLIENT,
            NotificationSink.NONE);

    public Era era() {
        return version.era();
    }

    /**
     * What a server of the legacy era may ask, as declared once for its session. Modern clients declare it anew
     * with each request, so for them that is everything; what one of them cannot be asked shows when it is asked.
     */
    public String promised() {
        return era() == Era.MODERN ? EVERYTHING : capabilities;
    }

    /** Whether there is a client to ask, whatever it has declared. */
    public boolean canBeAsked() {
        return client != NO_CLIENT;
    }

    /**
     * Stands for this caller in requests that the bridge makes by itself, such as handshakes and listings: they may
     * share its sessions of servers, but belong to no client, so they cause no notification and no question.
     */
    public Caller withoutSession() {
        // Requests of the modern era stand for themselves, so what is done in between needs no session of their client.
        var shared = era() == Era.LEGACY ? home : "";
        return new Caller(
                principal,
                "",
                "",
                shared,
                version,
                capabilities,
                declared,
                info,
                Optional.empty(),
                NO_CLIENT,
                NotificationSink.NONE);
    }

    public Caller withPrincipal(Principal it) {
        return new Caller(
                it, clientId, session, home, version, capabilities, declared, info, logLevel, client, audience);
    }

    public Caller withClientId(String it) {
        return new Caller(
                principal, it, session, home, version, capabilities, declared, info, logLevel, client, audience);
    }

    /** The same with another session, which is its home from now on, unless it has the home of another client. */
    public Caller withSession(String it) {
        var newHome = home.equals(session) ? it : home;
        return new Caller(
                principal, clientId, it, newHome, version, capabilities, declared, info, logLevel, client, audience);
    }

    public Caller withVersion(ProtocolVersion it) {
        return new Caller(
                principal, clientId, session, home, it, capabilities, declared, info, logLevel, client, audience);
    }

    public Caller withCapabilities(String json) {
        return new Caller(
                principal, clientId, session, home, version, json, declared, info, logLevel, client, audience);
    }

    public Caller withDeclared(String json) {
        return new Caller(
                principal, clientId, session, home, version, capabilities, json, info, logLevel, client, audience);
    }

    public Caller withInfo(String json) {
        return new Caller(
                principal, clientId, session, home, version, capabilities, declared, json, logLevel, client, audience);
    }

    public Caller withLogLevel(@Nullable LogLevel it) {
        var level = Optional.ofNullable(it);
        return new Caller(
                principal, clientId, session, home, version, capabilities, declared, info, level, client, audience);
    }

    public Caller withClient(Handler it) {
        return new Caller(
                principal, clientId, session, home, version, capabilities, declared, info, logLevel, it, audience);
    }

    public Caller withAudience(NotificationSink it) {
        return new Caller(
                principal, clientId, session, home, version, capabilities, declared, info, logLevel, client, it);
    }
}
