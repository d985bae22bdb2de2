package io.mcpbridge.call;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client that makes a call: its identity, its session and its capabilities. Immutable, except for the client behind
 * {@link #client()}.
 *
 * <p>A downstream session creates one and shares it among its calls; the front door has one per bridge.
 *
 * @param identity the user, the client and its session
 * @param declaration what the client says of itself
 * @param logLevel the lowest level of log messages that the client requested; empty if it requested none
 * @param client receives a server's requests to this client, such as elicitation; rejects them if no client can answer
 * @param notificationSink receives the notifications that belong to none of the client's requests
 * @param trace the trace of a program that calls the bridge, for the requests of the bridge that the program causes
 * @param cause the correlation id for the requests and events of the bridge that a call causes; the empty string if no
 *     call causes them
 */
public record Caller(
        Identity identity,
        Declaration declaration,
        Optional<LogLevel> logLevel,
        Handler client,
        NotificationSink notificationSink,
        TraceParent trace,
        String cause) {
    /** The key in {@code _meta} under which a handshake carries the configured id of a client. */
    public static final String CLIENT_ID_KEY = "io.mcpbridge/clientId";

    /** All kinds of server requests, in the form of {@link #capabilities()}. */
    public static final String EVERYTHING =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{},\"sampling\":{\"context\":{},\"tools\":{}}}";

    private static final Handler NO_CLIENT = (call, reply) -> reply.complete(Outcome.failed(Failure.of(
            ErrorCode.METHOD_NOT_FOUND,
            "The client cannot be asked '%s': it declared no capability for it."
                    .formatted(call.request().method()))));

    /** An unauthenticated caller without capabilities; a start for the {@code with…} methods. */
    public static final Caller ANONYMOUS = new Caller(
            new Identity(Principal.ANONYMOUS, "", "", ""),
            new Declaration(ProtocolVersion.LATEST_LEGACY, "{}", "{}", "{}"),
            Optional.empty(),
            NO_CLIENT,
            NotificationSink.NONE,
            TraceParent.NONE,
            "");

    /**
     * Who calls.
     *
     * @param principal the user
     * @param clientId the id that the client gave itself, or the empty string
     * @param session our name for the client's session, unique in this process; for logs and to distinguish sessions
     * @param home the name of the client session whose server sessions the call uses: the caller's own session, or that
     *     of the client on whose behalf the bridge sends a request
     */
    public record Identity(Principal principal, String clientId, String session, String home) {}

    /**
     * What a client says of itself, in its handshake or with each request.
     *
     * @param version the revision that it uses
     * @param capabilities the server requests that it supports, as canonical JSON: {@code elicitation}, {@code roots}
     *     and {@code sampling} of its declared capabilities, in this order and with only the members that the
     *     specification defines. Callers with equal texts can share a server session
     * @param declared its capabilities, as the raw JSON that it declared; the source of {@code capabilities}
     * @param info the raw JSON of its {@code clientInfo}; not verified
     */
    public record Declaration(ProtocolVersion version, String capabilities, String declared, String info) {}

    public Principal principal() {
        return identity.principal;
    }

    public String clientId() {
        return identity.clientId;
    }

    public String session() {
        return identity.session;
    }

    public String home() {
        return identity.home;
    }

    public ProtocolVersion version() {
        return declaration.version;
    }

    public Era era() {
        return version().era();
    }

    public String capabilities() {
        return declaration.capabilities;
    }

    public String declared() {
        return declaration.declared;
    }

    public String info() {
        return declaration.info;
    }

    /**
     * The capabilities to declare to a server of the legacy era, once for its session. A modern client declares its
     * capabilities with each request, so this is {@link #EVERYTHING} for it. The bridge rejects an unsupported request
     * to such a client when the server sends it.
     */
    public String promised() {
        return era() == Era.MODERN ? EVERYTHING : capabilities();
    }

    /** Whether a client can receive server requests, regardless of its capabilities. */
    public boolean canBeAsked() {
        return client != NO_CLIENT;
    }

    /**
     * A copy for requests that the bridge itself sends, such as handshakes and listings. They may share the server
     * sessions of this caller, but belong to no client, so they cause no notification and no server request.
     */
    public Caller withoutSession() {
        // Requests of the modern era are independent, so a request between them needs no session of their client.
        var shared = era() == Era.LEGACY ? home() : "";
        var own = new Identity(principal(), "", "", shared);
        return new Caller(
                own, declaration, Optional.empty(), NO_CLIENT, NotificationSink.NONE, TraceParent.NONE, cause);
    }

    public Caller withPrincipal(Principal it) {
        return with(new Identity(it, clientId(), session(), home()));
    }

    public Caller withClientId(String it) {
        return with(new Identity(principal(), it, session(), home()));
    }

    /** A copy with another session, which also becomes its home, unless the home is that of another client. */
    public Caller withSession(String it) {
        return with(new Identity(principal(), clientId(), it, home().equals(session()) ? it : home()));
    }

    private Caller with(Identity it) {
        return new Caller(it, declaration, logLevel, client, notificationSink, trace, cause);
    }

    public Caller withDeclaration(Declaration it) {
        return new Caller(identity, it, logLevel, client, notificationSink, trace, cause);
    }

    public Caller withVersion(ProtocolVersion it) {
        return withDeclaration(new Declaration(it, capabilities(), declared(), info()));
    }

    public Caller withCapabilities(String json) {
        return withDeclaration(new Declaration(version(), json, declared(), info()));
    }

    public Caller withDeclared(String json) {
        return withDeclaration(new Declaration(version(), capabilities(), json, info()));
    }

    public Caller withLogLevel(@Nullable LogLevel it) {
        return new Caller(identity, declaration, Optional.ofNullable(it), client, notificationSink, trace, cause);
    }

    public Caller withClient(Handler it) {
        return new Caller(identity, declaration, logLevel, it, notificationSink, trace, cause);
    }

    public Caller withNotificationSink(NotificationSink it) {
        return new Caller(identity, declaration, logLevel, client, it, trace, cause);
    }

    public Caller withTrace(TraceParent it) {
        return new Caller(identity, declaration, logLevel, client, notificationSink, it, cause);
    }

    public Caller withCause(String it) {
        return new Caller(identity, declaration, logLevel, client, notificationSink, trace, it);
    }
}
