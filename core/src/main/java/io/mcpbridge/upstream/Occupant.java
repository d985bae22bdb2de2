package io.mcpbridge.upstream;

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
record Occupant(@Nullable Caller caller, boolean mayCome, String why) {

    static Occupant of(Caller caller) {
        return new Occupant(caller, false, "");
    }

    /** Whoever comes first will have it. */
    static Occupant awaited() {
        return new Occupant(null, true, "no call is under way here that it could belong to, and nobody has come yet");
    }

    static Occupant none(String why) {
        return new Occupant(null, false, why);
    }

    Optional<Caller> client() {
        return Optional.ofNullable(caller);
    }
}
