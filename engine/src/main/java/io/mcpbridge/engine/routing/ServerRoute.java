package io.mcpbridge.engine.routing;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.pipeline.RetryAndTimeoutPolicies;
import io.mcpbridge.engine.routing.RoutingTable.OwnName;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.engine.upstream.lists.UpstreamLists;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The route to one server: the server and the stages in front of it.
 *
 * @param upstream the server
 * @param handler sends a call through the stages of the server
 * @param handlers creates such a handler with another attempt policy
 * @param callsUnderWay returns the number of calls at the server that have no outcome yet
 * @param readings returns the measurements of the stages and the server
 * @param sandbox the sandbox level of the server's process; empty if it is not a child process of the bridge
 */
public record ServerRoute(
        Upstream upstream,
        Next handler,
        Function<RetryAndTimeoutPolicies, Next> handlers,
        IntSupplier callsUnderWay,
        Supplier<List<GaugeReading>> readings,
        Optional<SandboxLevel> sandbox) {

    /** Returns the lists of the server. */
    public UpstreamLists lists() {
        return upstream.lists();
    }

    /** The server's tools. */
    public ListsByCaller<ToolDefinition> tools() {
        return lists().tools();
    }

    String server() {
        return upstream.name();
    }

    String alias() {
        return upstream.settings().alias();
    }

    /** The tool or prompt that clients see under this name, without prefix; empty if they see it under another. */
    Optional<OwnName> own(ListKind<?> kind, String shown) {
        var own = kind == ListKind.TOOLS ? upstream.settings().ownTool(shown) : Optional.of(shown);
        return own.map(name -> new OwnName(server(), name));
    }

    /** The name that clients see; empty if they see none. */
    Optional<String> expose(ListKind<?> kind, ToolNaming names, String own) {
        if (kind == ListKind.TOOLS) {
            return names.expose(upstream.settings(), own);
        }
        return Optional.of(kind == ListKind.PROMPTS ? names.join(upstream.settings(), own) : own);
    }

    /** The sandbox level of the server's process for the audit; empty if it is not a child process of the bridge. */
    String sandboxLevel() {
        return sandbox.map(SandboxLevel::name).orElse("");
    }

    /** Whether the server is known to be a legacy one; false before the first connection. */
    boolean isLegacy() {
        return upstream.era().filter(Era.LEGACY::equals).isPresent();
    }

    /** Returns the measurements of the stages and the connections of each server, by its name. */
    public static Map<String, List<GaugeReading>> readings(Collection<ServerRoute> routes) {
        var all = new LinkedHashMap<String, List<GaugeReading>>();
        for (var route : routes) {
            var readings = new ArrayList<>(route.readings().get());
            readings.addAll(connection(route.upstream().status()));
            all.put(route.server(), readings);
        }
        return all;
    }

    private static List<GaugeReading> connection(UpstreamStatus status) {
        var words = status.state().name().toLowerCase(Locale.ROOT);
        return List.of(
                new GaugeReading("connection.state", number(status.state()), words),
                new GaugeReading("connection.calls", status.callsInFlight(), ""),
                new GaugeReading("connection.opened", status.connections(), ""),
                new GaugeReading("connection.dropped", status.dropped(), ""));
    }

    /** Returns the number of a state in measurements; it stays the same across releases. */
    private static int number(UpstreamStatus.State state) {
        return switch (state) {
            case IDLE -> 0;
            case CONNECTING -> 1;
            case HEALTHY -> 2;
            case DEGRADED -> 3;
            case UNAVAILABLE -> 4;
        };
    }
}
