package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ToolSettings;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import java.time.Duration;
import java.util.stream.Stream;

/** The effective limits of a daemon, computed from its configuration. */
final class DaemonLimits {

    private DaemonLimits() {}

    /** The overall time-out of a call: as configured, but at least the longest time-out of a server or tool. */
    static Duration callTimeout(BridgeConfiguration configuration) {
        return configuration.servers().stream()
                .flatMap(server -> Stream.concat(
                        Stream.of(server.timeout()),
                        server.tools().values().stream().map(ToolSettings::timeout)))
                .reduce(configuration.bridge().callTimeout(), (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    static ClientLimits clientLimits(BridgeConfiguration configuration) {
        var limits = configuration.bridge().limits();
        return new ClientLimits(
                limits.inFlight(),
                limits.connections(),
                limits.subscriptions(),
                ClientLimits.DEFAULTS.sessionIdle(),
                configuration.bridge().keepAlive());
    }
}
