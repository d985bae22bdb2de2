package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.config.UserAccess;
import io.mcpbridge.engine.upstream.lists.ListKind;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The routing table: the servers that requests can be routed to, in the order of the configuration. Immutable. */
public final class RoutingTable {
    private final Map<String, ServerRoute> byServer;
    private final Map<String, ServerRoute> byAlias;
    private final ToolNaming names;
    private final Map<String, String> absent;
    private final UserAccess visibility;
    private final boolean isOfOneServer;

    private RoutingTable(
            Map<String, ServerRoute> byServer,
            ToolNaming names,
            Map<String, String> absent,
            UserAccess visibility,
            boolean isOfOneServer) {
        this.byServer = byServer;
        this.byAlias = byServer.values().stream()
                .collect(Collectors.toUnmodifiableMap(
                        ServerRoute::alias, Function.identity(), (first, second) -> first));
        this.names = names;
        this.absent = Map.copyOf(absent);
        this.visibility = visibility;
        this.isOfOneServer = isOfOneServer;
    }

    /** Creates the table of clients that see one server, under its own names: its failure to list is theirs. */
    public static RoutingTable ofOne(ServerRoute route) {
        return new RoutingTable(Map.of(route.server(), route), ToolNaming.PLAIN, Map.of(), UserAccess.ALL, true);
    }

    public static RoutingTable of(List<ServerRoute> routes, ToolNaming names) {
        return of(routes, names, Map.of(), UserAccess.ALL);
    }

    /**
     * Creates a table.
     *
     * @param absent why no request can reach the other configured servers, for clients, by their names
     * @param visibility what each user may see and use
     */
    public static RoutingTable of(
            List<ServerRoute> routes, ToolNaming names, Map<String, String> absent, UserAccess visibility) {
        var byServer = new LinkedHashMap<String, ServerRoute>();
        routes.forEach(route -> byServer.put(route.server(), route));
        return new RoutingTable(Collections.unmodifiableMap(byServer), names, absent, visibility, false);
    }

    /** What each user may see and use, and which users search for tools. */
    public UserAccess visibility() {
        return visibility;
    }

    /** Which elements a caller may see and use, by their exposed names or URIs. */
    Predicate<String> filter(ListKind<?> kind, Caller caller) {
        var granted = visibility.of(caller.principal().name());
        if (kind == ListKind.TOOLS) {
            return granted.tools()::admits;
        }
        return kind == ListKind.PROMPTS ? granted.prompts()::admits : granted.resources()::admitsUri;
    }

    /** Returns why no request can reach a configured server; empty if requests can. */
    Optional<String> whyAbsent(String server) {
        return Optional.ofNullable(absent.get(server));
    }

    /** Whether the server is configured; requests may not reach it. */
    boolean isConfigured(String server) {
        return byServer.containsKey(server) || absent.containsKey(server);
    }

    public ToolNaming names() {
        return names;
    }

    public Collection<ServerRoute> all() {
        return byServer.values();
    }

    /** Returns the server of clients that see no other. */
    Optional<ServerRoute> onlyServer() {
        return isOfOneServer ? all().stream().findFirst() : Optional.empty();
    }

    public Optional<ServerRoute> find(String server) {
        return Optional.ofNullable(byServer.get(server));
    }

    /**
     * Splits a name like {@code github__get_issue} at the first {@code __}, and replaces aliases by names. The server may
     * be one that requests cannot reach.
     */
    Optional<OwnName> parsePrefixed(ListKind<?> kind, String exposed) {
        var at = exposed.indexOf(ToolNaming.SEPARATOR);
        if (at <= 0 || at + ToolNaming.SEPARATOR.length() >= exposed.length()) {
            return Optional.empty();
        }
        var prefix = exposed.substring(0, at);
        var shown = exposed.substring(at + ToolNaming.SEPARATOR.length());
        var route = byAlias.get(prefix);
        if (route != null) {
            return route.own(kind, shown);
        }
        return byServer.containsKey(prefix) ? Optional.empty() : Optional.of(new OwnName(prefix, shown));
    }

    /**
     * A tool or a prompt at its server.
     *
     * @param server the server's configured name
     * @param name its name there
     */
    record OwnName(String server, String name) {}
}
