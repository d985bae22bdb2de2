package io.mcpbridge.routing;

import io.mcpbridge.spi.Reading;
import io.mcpbridge.upstream.UpstreamState;
import io.mcpbridge.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What there is to see of servers at this moment: of their stages and of their connections. */
public final class ServerReadings {

    private ServerReadings() {}

    /** The readings of each server, by its name. */
    public static Map<String, List<Reading>> of(Collection<Route> routes) {
        var all = new LinkedHashMap<String, List<Reading>>();
        for (var route : routes) {
            var readings = new ArrayList<>(route.stages().readings());
            readings.addAll(connection(route.upstream().status()));
            all.put(route.server(), readings);
        }
        return all;
    }

    private static List<Reading> connection(UpstreamStatus status) {
        var words = status.state().name().toLowerCase(Locale.ROOT);
        return List.of(
                new Reading("connection.state", number(status.state()), words),
                new Reading("connection.calls", status.callsInFlight(), ""),
                new Reading("connection.opened", status.connections(), ""),
                new Reading("connection.dropped", status.dropped(), ""));
    }

    /** Stays the same across releases. */
    private static int number(UpstreamState state) {
        return switch (state) {
            case IDLE -> 0;
            case CONNECTING -> 1;
            case HEALTHY -> 2;
            case DEGRADED -> 3;
            case UNAVAILABLE -> 4;
        };
    }
}
