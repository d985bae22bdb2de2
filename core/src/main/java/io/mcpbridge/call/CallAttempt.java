package io.mcpbridge.call;

import java.util.function.Predicate;

/** One attempt of a call, for those who watch it. Immutable. */
public final class CallAttempt {
    private final Call call;
    private final String server;
    private final int number;
    private final Predicate<Call> listed;

    private CallAttempt(Call call, String server, int number, Predicate<Call> listed) {
        this.call = call;
        this.server = server;
        this.number = number;
        this.listed = listed;
    }

    /**
     * The first attempt of {@code call}.
     *
     * @param listed whether the tool or prompt that a call names is known from a list of {@code server}
     */
    public static CallAttempt of(Call call, String server, Predicate<Call> listed) {
        return new CallAttempt(call, server, 1, listed);
    }

    /** The same as a later one. */
    public CallAttempt withNumber(int newNumber) {
        return new CallAttempt(call, server, newNumber, listed);
    }

    /** The call as the server is asked, with the server's own names. */
    public Call call() {
        return call;
    }

    /** The configured name of the server. */
    public String server() {
        return server;
    }

    /** Counts from 1. */
    public int number() {
        return number;
    }

    /** Whether the tool or prompt that is named is known from a list of the server, and so one of a bounded number. */
    public boolean namesListed() {
        return listed.test(call);
    }
}
