package io.mcpbridge.upstream;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.spi.Reading;
import java.util.Comparator;
import java.util.List;

/** What there is to see of that which the bridge keeps for clients at one server. Pure. */
final class KeptForClients {
    private KeptForClients() {}

    /** @param subscriptions how many resources the server tells of */
    static List<Reading> readings(List<SessionSlot> connected, int subscriptions) {
        var kinds = connected.stream()
                .map(slot -> slot.caller().promised())
                .distinct()
                .count();
        var sessions =
                "%d open, for %d kind(s) of clients by what they can be asked".formatted(connected.size(), kinds);
        return List.of(
                new Reading("sessions.open", connected.size(), sessions),
                new Reading("sessions.kinds", kinds, ""),
                new Reading(
                        "subscriptions.resources", subscriptions, subscriptions + " resources, once for each session"),
                logLevel(connected));
    }

    /** The mildest level that a session was told; it counts from 0, and -1 is none. */
    private static Reading logLevel(List<SessionSlot> connected) {
        return connected.stream()
                .flatMap(slot -> slot.session().stream())
                .flatMap(session -> session.attendants().logLevel().told().stream())
                .min(Comparator.naturalOrder())
                .map(KeptForClients::reading)
                .orElseGet(() -> new Reading("log.level", -1, "the server was told none"));
    }

    private static Reading reading(LogLevel level) {
        return new Reading(
                "log.level", List.of(LogLevel.values()).indexOf(level), "'%s' at least".formatted(level.text()));
    }
}
