package io.mcpbridge.call;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Optional;

/** How an attempt is sent, for those who watch it. Immutable. */
public final class Sending {
    private final MessageId id;
    private final ProtocolVersion version;
    private final String network;
    private final String address;
    private final String session;

    private Sending(MessageId id, ProtocolVersion version, String network, String address, String session) {
        this.id = id;
        this.version = version;
        this.network = network;
        this.address = address;
        this.session = session;
    }

    /** A message with this id, in this revision, of which nothing else is known. */
    public static Sending of(MessageId id, ProtocolVersion version) {
        return new Sending(id, version, "", "", "");
    }

    /**
     * The same on its way.
     *
     * @param newNetwork {@code pipe}, {@code tcp} or {@code unix}
     * @param newAddress where the server is: a URI, a path or a command's name
     */
    public Sending over(String newNetwork, String newAddress) {
        return new Sending(id, version, newNetwork, newAddress, session);
    }

    /** The same in a session that the server gave this id. */
    public Sending in(String newSession) {
        return new Sending(id, version, network, address, newSession);
    }

    /** The id on the wire. */
    public MessageId id() {
        return id;
    }

    /** The revision that is spoken with the server. */
    public ProtocolVersion version() {
        return version;
    }

    /** {@code pipe}, {@code tcp} or {@code unix}; empty where that is not known. */
    public String network() {
        return network;
    }

    /** Where the server is: a URI, a path or a command's name; empty where that is not known. */
    public String address() {
        return address;
    }

    /** The id that the server gave the session. */
    public Optional<String> session() {
        return session.isEmpty() ? Optional.empty() : Optional.of(session);
    }
}
