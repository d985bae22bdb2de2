package io.mcpbridge.routing;

import io.mcpbridge.config.ToolNaming;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The servers that requests can be routed to, in the order of the configuration. Immutable. */
public final class Routes {
    private final Map<String, Route> byServer;
    private final ToolNaming names;

    private Routes(Map<String, Route> byServer, ToolNaming names) {
        this.byServer = byServer;
        this.names = names;
    }

    public static Routes of(List<Route> routes, ToolNaming names) {
        var byServer = new LinkedHashMap<String, Route>();
        routes.forEach(route -> byServer.put(route.server(), route));
        return new Routes(Collections.unmodifiableMap(byServer), names);
    }

    public ToolNaming names() {
        return names;
    }

    public Collection<Route> all() {
        return byServer.values();
    }

    public Optional<Route> find(String server) {
        return Optional.ofNullable(byServer.get(server));
    }
}
