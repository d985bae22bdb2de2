package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.transport.http.internal.Names;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What all requests of one transport share: where they go, over which connections, and the session that the
 * server has named. Any thread may use it.
 */
final class Session {
    private final Target target;
    private final RequestHead heads;
    private final ConnectionPool pool;
    private final Departures departures;
    private final HttpTransportSettings settings;
    private final Environment environment;
    private volatile @Nullable String id;
    private volatile @Nullable String authorization;

    Session(Target target, ConnectionPool pool, HttpTransportSettings settings, Environment environment) {
        this(target, pool, Departures.sideBySide(pool, environment.timekeeper()), settings, environment);
    }

    private Session(
            Target target,
            ConnectionPool pool,
            Departures departures,
            HttpTransportSettings settings,
            Environment environment) {
        this.target = target;
        this.heads = new RequestHead(target, settings.headers());
        this.pool = pool;
        this.departures = departures;
        this.settings = settings;
        this.environment = environment;
    }

    /** The same over the same connections, for messages to another place of the server. */
    Session at(Target place) {
        var inOrder = Departures.oneByOne(pool, environment.timekeeper());
        return new Session(place, pool, inOrder, settings, environment);
    }

    Target target() {
        return target;
    }

    RequestHead heads() {
        return heads;
    }

    ConnectionPool pool() {
        return pool;
    }

    Departures departures() {
        return departures;
    }

    HttpTransportSettings settings() {
        return settings;
    }

    Environment environment() {
        return environment;
    }

    /** The id that the server gave the session when it was initialized. */
    Optional<String> id() {
        return Optional.ofNullable(id);
    }

    void begin(String newId) {
        id = newId;
    }

    /** What goes with a message beside its own headers; {@code initialize} names neither session nor version. */
    Metadata headersFor(Outgoing out) {
        if (out.version().era() == Era.MODERN) {
            return ModernHeaders.of(out);
        }
        out.headers().first(Names.AUTHORIZATION).ifPresent(shown -> authorization = shown);
        return isInitialize(out) ? out.headers() : named(out.headers(), out.version());
    }

    /** What goes with a GET; an empty id begins a new stream. */
    Metadata headersForStream(ProtocolVersion version, String lastEventId) {
        var headers = named(Metadata.EMPTY, version);
        return Names.isHeaderValue(lastEventId) && !lastEventId.isEmpty()
                ? headers.with(Names.LAST_EVENT_ID, lastEventId)
                : headers;
    }

    /** The same with what belongs to the session; streams and the end of it show who calls as the last message did. */
    Metadata named(Metadata headers, ProtocolVersion version) {
        var shown = authorization;
        boolean isBare = headers.first(Names.AUTHORIZATION).isEmpty();
        var authorized = shown != null && isBare ? headers.with(Names.AUTHORIZATION, shown) : headers;
        var versioned = authorized.with(Names.PROTOCOL_VERSION, version.text());
        var named = id;
        return named == null ? versioned : versioned.with(Names.SESSION_ID, named);
    }

    /** Whether the request stays open for as long as there may be something to tell. */
    static boolean isListen(Outgoing out) {
        return out.message() instanceof Request request && request.method().equals(Methods.SUBSCRIPTIONS_LISTEN);
    }

    /** Whether the server was told which session this belongs to. */
    boolean isNamedBy(Outgoing out) {
        return id != null && !isInitialize(out) && out.version().era() == Era.LEGACY;
    }

    static boolean isInitialized(Outgoing out) {
        return out.message() instanceof Notification told && told.method().equals(Methods.INITIALIZED);
    }

    static boolean isInitialize(Outgoing out) {
        return out.message() instanceof Request request && request.method().equals(Methods.INITIALIZE);
    }
}
