package io.mcpbridge.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ClientTools;
import io.mcpbridge.config.NameFilter;
import io.mcpbridge.config.SearchTools;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.upstream.lists.ListKind;
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
    private final Map<String, String> absent;
    private final ClientTools clientTools;
    private final SearchTools searchTools;

    private Routes(
            Map<String, Route> byServer,
            ToolNaming names,
            Map<String, String> absent,
            ClientTools clientTools,
            SearchTools searchTools) {
        this.byServer = byServer;
        this.names = names;
        this.absent = Map.copyOf(absent);
        this.clientTools = clientTools;
        this.searchTools = searchTools;
    }

    public static Routes of(List<Route> routes, ToolNaming names) {
        var byServer = new LinkedHashMap<String, Route>();
        routes.forEach(route -> byServer.put(route.server(), route));
        return new Routes(Collections.unmodifiableMap(byServer), names, Map.of(), ClientTools.ALL, SearchTools.NOBODY);
    }

    /**
     * The same table, which also knows servers that are configured and that no request can reach.
     *
     * @param reasons by the name of the server, in words for clients
     */
    public Routes withAbsent(Map<String, String> reasons) {
        return new Routes(byServer, names, reasons, clientTools, searchTools);
    }

    /** The same table, of which users see and call only some tools. */
    public Routes withClientTools(ClientTools newClientTools) {
        return new Routes(byServer, names, absent, newClientTools, searchTools);
    }

    /** The same table, in which some users search for tools. */
    public Routes withSearchTools(SearchTools newSearchTools) {
        return new Routes(byServer, names, absent, clientTools, newSearchTools);
    }

    /** Who searches for tools instead of being shown all of them. */
    public SearchTools searchTools() {
        return searchTools;
    }

    /** What a caller may see and call, by the names that clients see. */
    NameFilter filter(ListKind<?> kind, Caller caller) {
        return kind == ListKind.TOOLS ? clientTools.of(caller.principal().name()) : NameFilter.ALL;
    }

    /** Why no request can reach a server that is configured. */
    Optional<String> whyAbsent(String server) {
        return Optional.ofNullable(absent.get(server));
    }

    /** Whether the server is known, be it that no request can reach it. */
    boolean isConfigured(String server) {
        return byServer.containsKey(server) || absent.containsKey(server);
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
