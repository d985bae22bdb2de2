package io.mcpbridge.call;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session that is over, with a server or of a client, for those who watch. Immutable. */
public final class EndedSession {
    private final @Nullable String server;
    private final ProtocolVersion version;
    private final Duration duration;
    private final String network;
    private final String address;
    private final @Nullable Failure failure;

    private EndedSession(
            @Nullable String server,
            ProtocolVersion version,
            Duration duration,
            String network,
            String address,
            @Nullable Failure failure) {
        this.server = server;
        this.version = version;
        this.duration = duration;
        this.network = network;
        this.address = address;
        this.failure = failure;
    }

    /** One that a client had with the bridge. */
    public static EndedSession ofClient(ProtocolVersion version, Duration duration) {
        return new EndedSession(null, version, duration, "", "", null);
    }

    /** One that the bridge had with the server of this configured name. */
    public static EndedSession withServer(String server, ProtocolVersion version, Duration duration) {
        return new EndedSession(server, version, duration, "", "", null);
    }

    /**
     * The same over {@code pipe}, {@code tcp} or {@code unix}.
     *
     * @param newAddress where the server is, as in {@link Sending#address}; empty for clients
     */
    public EndedSession over(String newNetwork, String newAddress) {
        return new EndedSession(server, version, duration, newNetwork, newAddress, failure);
    }

    /** The same, ended otherwise than it should. */
    public EndedSession failed(Failure why) {
        return new EndedSession(server, version, duration, network, address, why);
    }

    /** The configured name of the server; empty for the session of a client. */
    public Optional<String> server() {
        return Optional.ofNullable(server);
    }

    /** The revision that was spoken. */
    public ProtocolVersion version() {
        return version;
    }

    public Duration duration() {
        return duration;
    }

    /** {@code pipe}, {@code tcp} or {@code unix}; empty where that is not known. */
    public String network() {
        return network;
    }

    /** Where the server is; empty for the session of a client. */
    public String address() {
        return address;
    }

    /** Why it ended, unless that was in good order. */
    public Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }
}
