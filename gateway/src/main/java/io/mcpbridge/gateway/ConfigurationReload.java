package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.BridgeSettings;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Applies a new configuration to the parts of a running daemon. One thread at a time. */
record ConfigurationReload(DaemonParts parts, DaemonOptions options, Plugins plugins) {

    /**
     * Replaces what has changed.
     *
     * @return whether lists of clients may differ now
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake; then nothing is replaced
     */
    boolean apply(BridgeConfiguration old, BridgeConfiguration other) {
        new ConfigurationCheck(plugins, parts.environment, options)
                .requireReload(other, parts.servers::isLeftOut, changesThatNeedRestart(old.bridge(), other.bridge()));
        parts.environment.secrets().learn(other.secrets());
        var policy = PlugInChoice.of(other.bridge().plugIns(), options, plugins).retryPolicy();
        var areApprovedAnew = parts.catalog.reload();
        return parts.servers.replace(other, policy) || areApprovedAnew;
    }

    /** The changes that a reload rejects, because operators rely on these settings. */
    private static List<String> changesThatNeedRestart(BridgeSettings before, BridgeSettings now) {
        var refused = new ArrayList<String>();
        if (!before.plugIns().audit().saysTheSameAs(now.plugIns().audit())) {
            refused.add("the section 'bridge.audit' has changed, which takes a restart: until then calls are recorded"
                    + " as before; take the change back to change anything else while the daemon runs");
        }
        if (!level(before).equals(level(now))) {
            refused.add(
                    "'level' of 'bridge.sandbox' was '%s' and is '%s', which takes a restart; take the change back to change anything else while the daemon runs"
                            .formatted(level(before), level(now)));
        }
        return refused;
    }

    private static String level(BridgeSettings settings) {
        return settings.plugIns().sandbox().text("level", SandboxLevel.AUTO);
    }

    /** Logs the result, and the changes that take effect with the next start only. */
    void log(BridgeConfiguration old, BridgeConfiguration applied) {
        var log = parts.environment.logger();
        if (hasDeferredChanges(old.bridge(), applied.bridge())) {
            log.log(
                    Level.WARNING,
                    "[mcp-bridge] 'listen', 'limits', 'suspended-calls', 'repeats', 'keep-alive' and 'catalog' stay as they"
                            + " were at the start; restart to change them");
        }
        applied.warnings().forEach(warning -> log.log(Level.WARNING, "[mcp-bridge] " + warning));
        log.log(
                Level.INFO,
                "[mcp-bridge] applied a new configuration with %d server(s)"
                        .formatted(applied.servers().size()));
    }

    private static boolean hasDeferredChanges(BridgeSettings before, BridgeSettings now) {
        return !(areSame(before.listeners(), now.listeners())
                && before.limits().equals(now.limits())
                && before.suspendedCalls().equals(now.suspendedCalls())
                && before.plugIns().stages().saysTheSameAs(now.plugIns().stages())
                && before.keepAlive().equals(now.keepAlive())
                && before.plugIns().catalog().saysTheSameAs(now.plugIns().catalog()));
    }

    private static boolean areSame(Map<String, Settings> one, Map<String, Settings> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream()
                        .allMatch(entry -> other.getOrDefault(entry.getKey(), entry.getValue())
                                .saysTheSameAs(entry.getValue()));
    }
}
