package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.routing.Plugins;
import java.lang.System.Logger.Level;

/** Has the parts of a daemon take another configuration. One at a time. */
record Reload(DaemonParts parts, DaemonOptions options, Plugins plugins) {

    /**
     * Exchanges what has changed.
     *
     * @return whether what clients list may differ now
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake; nothing is exchanged then
     */
    boolean take(BridgeConfiguration old, BridgeConfiguration other) {
        new ConfigurationCheck(plugins, parts.environment(), options)
                .requireReload(other, parts.servers()::leavesOut, Remarks.refusedAtReload(old, other));
        parts.environment().secrets().learn(other.secrets());
        var policy = PlugInChoice.of(other.bridge().plugIns(), options, plugins).retryPolicy();
        var areApprovedAnew = parts.catalog().reload();
        return parts.servers().replace(other, policy) || areApprovedAnew;
    }

    /** Tells what was taken, and what of it only the next start will heed. */
    void tell(BridgeConfiguration old, BridgeConfiguration taken) {
        var log = parts.environment().logger();
        Remarks.atReload(old, taken).forEach(remark -> log.log(Level.WARNING, "[mcp-bridge] " + remark));
        taken.warnings().forEach(warning -> log.log(Level.WARNING, "[mcp-bridge] " + warning));
        log.log(
                Level.INFO,
                "[mcp-bridge] took another configuration with %d server(s)"
                        .formatted(taken.servers().size()));
    }
}
