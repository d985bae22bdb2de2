package io.mcpbridge.upstream.seats;

import io.mcpbridge.config.ServerSettings;

/** Says of a seat who is asked what belongs to no call in its session. For one thread at a time. */
final class Occupancy {
    private final SeatedServer server;
    private final int sessions;

    Occupancy(SeatedServer server, ServerSettings settings) {
        this.server = server;
        this.sessions = settings.sessions();
    }

    Occupant of(Seat seat) {
        if (server.isJoined(seat.key())) {
            return Occupant.none("clients of several kinds share this session, as the limit 'sessions' of the server,"
                    + " which is %d, leaves none for each".formatted(sessions));
        }
        if (seat.guests() > 0) {
            return Occupant.none(("%d clients share this session, as the limit 'sessions' of the server, which is %d,"
                            + " leaves none for each")
                    .formatted(seat.guests() + 1, sessions));
        }
        var sitter = seat.sitter().filter(known -> !seat.isFree() || !known.isLasting());
        if (sitter.isEmpty()) {
            return Occupant.awaited();
        }
        return sitter.get().canBeAskedAnyTime()
                ? Occupant.of(sitter.get().caller())
                : Occupant.none("no call is under way here, and its client can be asked only by one");
    }
}
