package io.mcpbridge.spi;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;

/**
 * A message on its way to a server. Compared by identity: a transport may use it as a key.
 */
public final class Outgoing {
    private final Message message;
    private final ProtocolVersion version;
    private final Deadline deadline;
    private final MessageHeaders headers;
    private final boolean callerWaits;

    private Outgoing(
            Message message, ProtocolVersion version, Deadline deadline, MessageHeaders headers, boolean callerWaits) {
        this.message = message;
        this.version = version;
        this.deadline = deadline;
        this.headers = headers;
        this.callerWaits = callerWaits;
    }

    /** A message without headers whose sender does not wait for the answer. */
    public static Outgoing of(Message message, ProtocolVersion version, Deadline deadline) {
        return new Outgoing(message, version, deadline, MessageHeaders.EMPTY, false);
    }

    public Message message() {
        return message;
    }

    /** The protocol revision of the connection; it decides the wire form of headers and cancellation. */
    public ProtocolVersion version() {
        return version;
    }

    /** The deadline of the whole exchange, including its body. */
    public Deadline deadline() {
        return deadline;
    }

    /** Headers of this request alone, such as {@code Mcp-Param-*}; byte streams ignore them. */
    public MessageHeaders headers() {
        return headers;
    }

    /** Whether the sending thread only waits for the answer, so that the transport may use it for I/O. */
    public boolean callerWaits() {
        return callerWaits;
    }

    public Outgoing withHeaders(MessageHeaders newHeaders) {
        return new Outgoing(message, version, deadline, newHeaders, callerWaits);
    }

    public Outgoing withCallerWaiting() {
        return new Outgoing(message, version, deadline, headers, true);
    }
}
