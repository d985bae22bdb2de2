package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
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
                .requireReload(other, parts.servers::isLeftOut, changesThatNeedRestart(old, other));
        parts.environment.secrets().learn(other.secrets());
        var policy = PlugInChoice.of(other.bridge().plugIns(), options, plugins).retryPolicy();
        var areApprovedAnew = parts.catalog.reload();
        return parts.servers.replace(other, policy) || areApprovedAnew;
    }

    /** Changes that a reload refuses, because operators rely on these settings. */
    private static List<String> changesThatNeedRestart(BridgeConfiguration before, BridgeConfiguration now) {
        var refused = new ArrayList<String>();
        var isSame = before.bridge()
                .plugIns()
                .audit()
                .saysTheSameAs(now.bridge().plugIns().audit());
        if (!isSame) {
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

    private static String level(BridgeConfiguration configuration) {
        return configuration.bridge().plugIns().sandbox().text("level", SandboxLevel.AUTO);
    }

    /** Logs the result, and the changes that take effect with the next start only. */
    void log(BridgeConfiguration old, BridgeConfiguration applied) {
        var log = parts.environment.logger();
        if (hasDeferredChanges(old, applied)) {
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

    private static boolean hasDeferredChanges(BridgeConfiguration before, BridgeConfiguration now) {
        return !(areSame(before.bridge().listeners(), now.bridge().listeners())
                && before.bridge().limits().equals(now.bridge().limits())
                && before.bridge().suspendedCalls().equals(now.bridge().suspendedCalls())
                && before.bridge()
                        .plugIns()
                        .stages()
                        .saysTheSameAs(now.bridge().plugIns().stages())
                && before.bridge().keepAlive().equals(now.bridge().keepAlive())
                && before.bridge()
                        .plugIns()
                        .catalog()
                        .saysTheSameAs(now.bridge().plugIns().catalog()));
    }

    private static boolean areSame(Map<String, Settings> one, Map<String, Settings> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream()
                        .allMatch(entry -> other.getOrDefault(entry.getKey(), entry.getValue())
                                .saysTheSameAs(entry.getValue()));
    }
}
