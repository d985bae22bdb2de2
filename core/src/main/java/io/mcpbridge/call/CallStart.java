package io.mcpbridge.call;

import java.util.function.Predicate;

/** The beginning of a call, for those who watch it. Immutable. */
public final class CallStart {

    /** Who makes a call. */
    public enum Origin {
        /** A client that is served: its request has come. */
        CLIENT,
        /** The program that the bridge is part of, on this very thread. */
        PROGRAM
    }

    private final Call call;
    private final Origin origin;
    private final Predicate<Call> listed;

    private CallStart(Call call, Origin origin, Predicate<Call> listed) {
        this.call = call;
        this.origin = origin;
        this.listed = listed;
    }

    /**
     * The beginning of {@code call}.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    public static CallStart of(Call call, Origin origin, Predicate<Call> listed) {
        return new CallStart(call, origin, listed);
    }

    public Call call() {
        return call;
    }

    public Origin origin() {
        return origin;
    }

    /** Whether the tool or prompt that is named is known from a list, and so one of a bounded number. */
    public boolean namesListed() {
        return listed.test(call);
    }
}
