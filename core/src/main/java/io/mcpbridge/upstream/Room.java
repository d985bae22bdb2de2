package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.seats.Seats;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes room for a session by ending another one, the one that was idle the longest: one without a connection or without
 * a client at once, that of clients that cannot be asked anything, who have nothing there for themselves, after
 * {@link Seats#LINGER} without a call, any other after {@link #IDLE}. One in which somebody has subscribed to something
 * makes room only where there is no other. For one thread at a time: {@link SessionSlots} guards it.
 */
record Room(UpstreamParts parts, SessionEvents events) {
    /** After how long without a call a connection may be given up for another one. */
    static final Duration IDLE = Duration.ofMinutes(10);

    /**
     * A session that may make room.
     *
     * @param idle how long there was no call; the longest of all where there is no connection
     */
    private record Candidate(SessionSlot slot, boolean isListenedTo, Duration idle) {}

    /**
     * Ends one of these for good, if one can be.
     *
     * @param unused those that no client has
     */
    Optional<SessionKey> make(List<SessionSlot> slots, Set<SessionKey> unused) {
        return slots.stream()
                .map(this::candidate)
                .sorted(Comparator.comparing(Candidate::isListenedTo)
                        .thenComparing(Candidate::idle, Comparator.reverseOrder()))
                .filter(each -> each.slot().dismiss(patience(each, unused)))
                .map(each -> each.slot().key())
                .findFirst();
    }

    /**
     * What a caller is told for whom there is none.
     *
     * @param ofPrincipal how many sessions there are for callers like this one
     */
    Failure none(Caller caller, long ofPrincipal) {
        var sessions = parts.settings().sessions();
        var message = ofPrincipal >= sessions
                ? "server '%s' has %d sessions for callers like '%s', which is the limit 'sessions' of its section; %s"
                        .formatted(parts.name(), sessions, caller.principal().name(), remedy())
                : "server '%s' has %d sessions for all users together, and no server can have more; %s"
                        .formatted(parts.name(), ServerSettings.MAX_SESSIONS, remedy());
        return Failure.of(ErrorCode.OVERLOADED, message).withServer(parts.name());
    }

    private static String remedy() {
        return "one that has had no call for %d minutes makes room, so try again later".formatted(IDLE.toMinutes());
    }

    private Candidate candidate(SessionSlot slot) {
        var idle = slot.session().map(session -> session.use().idle()).orElse(Duration.ofSeconds(Long.MAX_VALUE));
        return new Candidate(slot, events.isListenedTo(slot), idle);
    }

    /** How long it is kept without a call. */
    private static Duration patience(Candidate candidate, Set<SessionKey> unused) {
        var key = candidate.slot().key();
        if (candidate.isListenedTo()) {
            return IDLE;
        }
        if (unused.contains(key)) {
            return Duration.ZERO;
        }
        return key.isOfEverybody() ? Seats.LINGER : IDLE;
    }
}
