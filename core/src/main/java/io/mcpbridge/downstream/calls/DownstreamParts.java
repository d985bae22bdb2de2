package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Handler;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What client sessions are made of.
 *
 * @param handler where calls go, behind the outermost stages
 * @param environment clocks, randomness and the like
 * @param card what the bridge says of itself
 * @param callTimeout how long a call that comes now may take in all
 * @param limits how much one client may do at once
 * @param schemas what is known of the tools behind {@code handler}
 * @param news hears what clients tell servers outside of their calls
 */
public record DownstreamParts(
        Handler handler,
        Environment environment,
        ServerCard card,
        Supplier<Duration> callTimeout,
        ClientLimits limits,
        ToolSchemas schemas,
        ClientNews news) {

    /** The same where nothing is known of tools. */
    public DownstreamParts(
            Handler handler,
            Environment environment,
            ServerCard card,
            Supplier<Duration> callTimeout,
            ClientLimits limits) {
        this(handler, environment, card, callTimeout, limits, ToolSchemas.NONE, ClientNews.NOBODY);
    }
}
