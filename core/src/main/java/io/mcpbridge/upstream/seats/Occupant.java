package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Caller;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who a session of a server belongs to, as far as what the server asks outside of calls is concerned.
 *
 * @param caller the one client that has it and can be asked at any time, or null
 * @param mayCome whether nobody has it so far
 * @param why what is said to a server that asks where there is no such client
 */
public record Occupant(@Nullable Caller caller, boolean mayCome, String why) {

    /** One client that can be asked. */
    static Occupant of(Caller caller) {
        return new Occupant(caller, false, "");
    }

    /** Whoever comes first will have it. */
    static Occupant awaited() {
        return new Occupant(null, true, "no call is under way here that it could belong to, and nobody has come yet");
    }

    /** Nobody, as {@code why} says. */
    static Occupant none(String why) {
        return new Occupant(null, false, why);
    }

    /** The client that can be asked at any time. */
    public Optional<Caller> client() {
        return Optional.ofNullable(caller);
    }
}
