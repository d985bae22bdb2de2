package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The parts that the lists of one server share: the server, the remarks on its lists, and alarms that end with it. Any
 * thread.
 */
final class ServerListsContext {
    private static final Alarm NO_ALARM = () -> {};

    private final UpstreamParts parts;
    private final ListSource server;
    private final ListRemarks remarks;
    private final Map<Object, Alarm> alarms = new ConcurrentHashMap<>();
    private final AtomicLong causes = new AtomicLong();
    private final Map<SessionKey, Failure> late = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    ServerListsContext(UpstreamParts parts, ListSource server, ListRemarks remarks) {
        this.parts = parts;
        this.server = server;
        this.remarks = remarks;
    }

    UpstreamParts parts() {
        return parts;
    }

    ListSource server() {
        return server;
    }

    ListRemarks remarks() {
        return remarks;
    }

    String name() {
        return parts.name();
    }

    ServerSettings settings() {
        return parts.settings();
    }

    /** The era that the server speaks. */
    Era era() {
        return server.profile().map(profile -> profile.version().era()).orElse(Era.LEGACY);
    }

    /** Why {@code caller} need not wait for its connection: one that shares it has waited for it too long. */
    Optional<Failure> lateToConnect(Caller caller) {
        return late.isEmpty() || isConnected(caller) ? Optional.empty() : Optional.ofNullable(late.get(key(caller)));
    }

    void markLate(Caller caller, Duration waited) {
        var words = "server '%s' has not been connected for %d s".formatted(name(), waited.toSeconds());
        late.put(key(caller), Failure.of(ErrorCode.PROVIDER_TIMEOUT, words).withServer(name()));
    }

    void clearLate(Caller caller) {
        late.remove(key(caller));
    }

    private SessionKey key(Caller caller) {
        return SessionKey.of(caller, settings());
    }

    /** Whether the session that {@code caller} would use is there. */
    boolean isConnected(Caller caller) {
        return server.connection(caller).isPresent();
    }

    /**
     * Why a tool is not listed: its definition breaks the protocol, or it cannot be called over the connection of
     * {@code caller}, since its schema says something wrong about headers.
     */
    Optional<String> flaw(ToolDefinition tool, Caller caller) {
        return parts.flaw(tool, era())
                .or(() -> server.connection(caller)
                        .filter(ServerConnection::isStateless)
                        .flatMap(repeating -> ParamHeaders.flaw(
                                tool.inputSchema().map(Json::text).orElse("{}"))));
    }

    /** The {@linkplain Caller#cause() cause} of a load that no call has caused. */
    String newCause() {
        return "list-%s-%d".formatted(name(), causes.incrementAndGet());
    }

    long nanoTime() {
        return parts.environment().timekeeper().nanoTime();
    }

    /**
     * Runs {@code action} after {@code delay}, unless it is cancelled or the server is closed by then; it must not
     * wait.
     */
    Alarm after(Duration delay, Runnable action) {
        var key = new Object();
        alarms.put(key, NO_ALARM);
        var alarm = parts.environment().timekeeper().schedule(delay, () -> {
            if (alarms.remove(key) != null) {
                action.run();
            }
        });
        Alarm cancel = () -> {
            alarms.remove(key);
            alarm.cancel();
        };
        // It may be over, or the server closed, before it can be cancelled.
        if (alarms.computeIfPresent(key, (same, none) -> alarm) == null || isClosed) {
            cancel.cancel();
        }
        return cancel;
    }

    /** Cancels all alarms, so that none keeps the lists in memory. */
    void close() {
        isClosed = true;
        alarms.values().forEach(Alarm::cancel);
        alarms.clear();
    }
}
