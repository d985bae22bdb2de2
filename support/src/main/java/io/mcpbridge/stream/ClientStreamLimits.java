package io.mcpbridge.stream;

import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.MistakeCollector;
import java.time.Duration;

/**
 * The limits of one client on a byte stream.
 *
 * @param limits how large a message may be
 * @param frameDeadline how long a line may take from its first byte to its end, and how long a client may take to read
 *     the last responses of a connection that ends; longer than zero
 * @param maxQueuedBytes how many bytes may wait for a slow client; at least 1
 */
public record ClientStreamLimits(Limits limits, Duration frameDeadline, int maxQueuedBytes) {

    /** 30 s for a line; the largest message of a server plus 64 KiB may wait. */
    public static final ClientStreamLimits DEFAULTS =
            new ClientStreamLimits(Limits.CLIENT, Duration.ofSeconds(30), Limits.SERVER.maxBytes() + 64 * 1024);

    /** The defaults, with the message and queue limits of the environment. */
    public static ClientStreamLimits of(BridgeLimits limits) {
        return DEFAULTS.withLimits(limits.fromClients()).withMaxQueuedBytes(limits.outboundOfOne());
    }

    public ClientStreamLimits {
        new MistakeCollector()
                .unless(frameDeadline.compareTo(Duration.ZERO) > 0, "frame-deadline", frameDeadline, "longer than zero")
                .unless(maxQueuedBytes >= 1, "max-queued-bytes", maxQueuedBytes, "at least 1")
                .throwIfAny();
    }

    public ClientStreamLimits withLimits(Limits newLimits) {
        return new ClientStreamLimits(newLimits, frameDeadline, maxQueuedBytes);
    }

    public ClientStreamLimits withFrameDeadline(Duration newDeadline) {
        return new ClientStreamLimits(limits, newDeadline, maxQueuedBytes);
    }

    public ClientStreamLimits withMaxQueuedBytes(int newMaximum) {
        return new ClientStreamLimits(limits, frameDeadline, newMaximum);
    }
}
