package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ToolSettings;
import io.mcpbridge.downstream.calls.ClientLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the daemon makes of limits, and what it has to say where a wish of the configuration has no effect. */
final class Remarks {

    private Remarks() {}

    /** How long a call may take: as configured, but no shorter than one attempt at the most patient server or tool. */
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

    static List<String> atStart(BridgeConfiguration configuration) {
        return configuration.servers().stream()
                .filter(server -> server.startsEagerly() && !server.shared())
                .map(server -> "server '%s' starts with its first call, since each user has sessions of their own"
                        .formatted(server.name()))
                .toList();
    }

    static List<String> atReload(BridgeConfiguration before, BridgeConfiguration now) {
        var isSame = saySame(before.bridge().listeners(), now.bridge().listeners())
                && before.bridge().limits().equals(now.bridge().limits())
                && before.bridge().parking().equals(now.bridge().parking())
                && before.bridge().repeats().equals(now.bridge().repeats())
                && before.bridge().keepAlive().equals(now.bridge().keepAlive())
                && before.bridge()
                        .plugIns()
                        .catalog()
                        .saysTheSameAs(now.bridge().plugIns().catalog());
        return isSame
                ? List.of()
                : List.of(
                        "'listen', 'limits', 'parking', 'repeats', 'keep-alive' and 'catalog' stay as they were at the"
                                + " start; restart to change them");
    }

    /** What another configuration must not say otherwise while the daemon runs: operators rely on it. */
    static List<String> refusedAtReload(BridgeConfiguration before, BridgeConfiguration now) {
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

    private static boolean saySame(Map<String, Settings> one, Map<String, Settings> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream()
                        .allMatch(entry -> other.getOrDefault(entry.getKey(), entry.getValue())
                                .saysTheSameAs(entry.getValue()));
    }
}
