package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which client has which session of a server. A server of the legacy era does not say on a shared stream whom it asks,
 * so there each client that can be asked something sits alone; all others sit together. Any thread.
 *
 * <p>The first client takes the session that is there for all, each further one has another opened. Where there is no
 * room for that it is a guest at the first, and is asked only while nobody else has calls there.
 */
public final class Seats {
    /** How long a session stays without a client; the next one that comes by then takes it. */
    public static final Duration LINGER = Duration.ofSeconds(60);

    private static final String NOTHING = "{}";

    private final ServerSettings settings;
    private final SeatTable table;
    private final Occupancy occupancy;
    private final SeatTidying tidying;
    private final Arrivals arrivals;
    private volatile Speech speech = Speech.UNKNOWN;

    /** Makes the seats at the sessions of {@code server}, which nobody has so far. */
    public Seats(SeatedServer server, ServerSettings settings, Timekeeper timekeeper) {
        this.settings = settings;
        this.table = new SeatTable(server);
        this.occupancy = new Occupancy(server, settings);
        this.tidying = new SeatTidying(table, server, timekeeper);
        this.arrivals = new Arrivals(table, server, tidying, timekeeper);
    }

    /** Whether it is known by now how the server speaks. */
    boolean knowSpeech() {
        return speech != Speech.UNKNOWN;
    }

    /** A session is ready, and shows how the server speaks. */
    public void connected(SeatedSession session) {
        speech = Speech.of(session);
        session.occupied();
        if (speech == Speech.VAGUE) {
            tidying.lookAgain();
        }
    }

    /** Sessions that no client has, which make room for others. */
    public Set<SessionKey> unused() {
        if (speech != Speech.VAGUE) {
            return Set.of();
        }
        return table.step(() -> table.rows().stream()
                .flatMap(SeatRow::all)
                .filter(seat -> seat.isFree() && seat.sitter().isPresent())
                .map(Seat::key)
                .collect(Collectors.toSet()));
    }

    /** Where this caller's client sits, else the session that is there for all. */
    public SessionKey of(Caller caller) {
        var common = common(caller);
        return table.of(common, caller.home()).orElse(common);
    }

    /** The session that is there for all. */
    SessionKey common(Caller caller) {
        return SessionKey.of(caller, settings.shared());
    }

    /** Whether it matters where this caller's client sits, as far as is known. */
    boolean matterTo(Caller caller) {
        return speech != Speech.PLAIN
                && !caller.session().isEmpty()
                && !caller.promised().equals(NOTHING);
    }

    /** Who is asked what belongs to no call in the session with this key. */
    public Occupant occupant(SessionKey key) {
        return switch (speech) {
            case UNKNOWN -> Occupant.awaited();
            case PLAIN -> Occupant.none("no call is under way here that it could belong to");
            case VAGUE -> table.step(() -> table.at(key).map(occupancy::of).orElseGet(Occupant::awaited));
        };
    }

    /** The session that this caller's client has for itself. */
    public Optional<SessionKey> ownOf(Caller caller) {
        var key = of(caller);
        return occupant(key)
                .client()
                .filter(owner -> owner.session().equals(caller.session()))
                .map(owner -> key);
    }

    /** Gives the session that is there for all to the client that lists what the server has, if nobody has it. */
    public void claim(Caller caller) {
        if (matterTo(caller) && Sitter.of(caller).canBeAskedAnyTime()) {
            arrivals.claim(common(caller), caller, speech);
        }
    }

    /** The client's seat, in which one more call begins until it has {@link #ended}; empty if there is none for it. */
    Optional<Seat> take(Caller caller) {
        return arrivals.take(common(caller), caller, speech);
    }

    /** A call that was begun by {@link #take} is over. */
    void ended(Seat seat) {
        table.change(seat::end);
        tidying.look(seat);
    }
}
