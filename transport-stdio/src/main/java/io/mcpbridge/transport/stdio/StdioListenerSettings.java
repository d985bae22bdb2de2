package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.ClientStreamLimits;
import java.time.Duration;

/**
 * Settings of the listener on the standard streams.
 *
 * @param drainTimeout how long calls may continue after the client has closed standard input; longer than zero
 * @param lines limits of messages and of queues
 */
public record StdioListenerSettings(Duration drainTimeout, ClientStreamLimits lines) {

    /** 5 s to finish; the other defaults are those of every byte stream. */
    public static final StdioListenerSettings DEFAULTS =
            new StdioListenerSettings(Duration.ofSeconds(5), ClientStreamLimits.DEFAULTS);

    public StdioListenerSettings {
        new MistakeCollector()
                .unless(drainTimeout.compareTo(Duration.ZERO) > 0, "drain-timeout", drainTimeout, "longer than zero")
                .throwIfAny();
    }

    /** Reads the section of the listener; a key that is absent keeps its default. */
    public static StdioListenerSettings from(Settings settings) {
        return from(settings, DEFAULTS.lines);
    }

    /** Reads the section with other defaults for messages and queues. */
    static StdioListenerSettings from(Settings settings, ClientStreamLimits usual) {
        var timeout = settings.duration("drain-timeout", DEFAULTS.drainTimeout);
        var deadline = settings.duration("frame-deadline", usual.frameDeadline());
        var queued = settings.integer("max-queued-bytes", usual.maxQueuedBytes());
        return settings.finish(() -> new StdioListenerSettings(
                timeout, usual.withFrameDeadline(deadline).withMaxQueuedBytes(queued)));
    }
}
