package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.LineSettings;
import java.time.Duration;

/**
 * What the client at our standard streams may do.
 *
 * @param finishPatience how long its calls may go on after it has ended our standard input; longer than zero
 * @param lines what it may send, and how much may wait for it
 */
public record StdioListenerSettings(Duration finishPatience, LineSettings lines) {

    /** 5 s to finish; the rest as for every byte stream. */
    public static final StdioListenerSettings DEFAULTS =
            new StdioListenerSettings(Duration.ofSeconds(5), LineSettings.DEFAULTS);

    public StdioListenerSettings {
        new Refusals()
                .unless(
                        finishPatience.compareTo(Duration.ZERO) > 0,
                        "finish-patience",
                        finishPatience,
                        "longer than zero")
                .throwIfAny();
    }

    /** Reads the section of the listener; a key that is absent keeps its default. */
    public static StdioListenerSettings from(Settings settings) {
        return from(settings, DEFAULTS.lines);
    }

    /** The same with other defaults for what the client may send and what may wait for it. */
    static StdioListenerSettings from(Settings settings, LineSettings usual) {
        var patience = settings.duration("finish-patience", DEFAULTS.finishPatience);
        var deadline = settings.duration("frame-deadline", usual.frameDeadline());
        var queued = settings.integer("max-queued-bytes", usual.maxQueuedBytes());
        return settings.finish(() -> new StdioListenerSettings(
                patience, usual.withFrameDeadline(deadline).withMaxQueuedBytes(queued)));
    }
}
