package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Caller;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who a session of a server belongs to, as far as what the server asks outside of calls is concerned. Immutable. */
public final class Occupant {
    private final @Nullable Caller caller;
    private final boolean mayCome;
    private final String why;

    private Occupant(@Nullable Caller caller, boolean mayCome, String why) {
        this.caller = caller;
        this.mayCome = mayCome;
        this.why = why;
    }

    /** One client that can be asked. */
    static Occupant of(Caller caller) {
        return new Occupant(caller, false, "");
    }

    /** Whoever makes the one call that a session is there for; nobody has made it yet. */
    public static Occupant ofNoCallYet() {
        return awaited();
    }

    /** Whoever makes the one call that a session is there for. */
    public static Occupant ofCall(Caller caller) {
        return Sitter.of(caller).canBeAskedAnyTime()
                ? of(caller)
                : none("the client whose call this process is there for can be asked only by that call");
    }

    /** Whoever comes first will have it. */
    static Occupant awaited() {
        return new Occupant(null, true, "no call is under way here that it could belong to, and nobody has come yet");
    }

    /** Nobody, as {@code why} says. */
    static Occupant none(String why) {
        return new Occupant(null, false, why);
    }

    /** The one client that has it and can be asked at any time. */
    public Optional<Caller> client() {
        return Optional.ofNullable(caller);
    }

    /** Whether nobody has it so far. */
    public boolean mayCome() {
        return mayCome;
    }

    /** What is said to a server that asks where there is no such client. */
    public String why() {
        return why;
    }
}
