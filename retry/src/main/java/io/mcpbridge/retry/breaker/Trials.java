package io.mcpbridge.retry.breaker;

/** The calls that are tried one after the other while a server is half let back in. One thread at a time. */
final class Trials {
    private boolean isUnderWay;
    private long beganAt;
    private long begun;

    /** How many had begun when the server was connected anew; 0 if it was not. */
    private long begunBefore;

    /**
     * Begins the next one, unless one is under way that has not kept the others away for longer than {@code patience}.
     *
     * @return its number, from 1; 0 if none begins
     */
    long begin(long now, long patience) {
        if (isUnderWay && now - beganAt < patience) {
            return 0;
        }
        isUnderWay = true;
        beganAt = now;
        begun++;
        return begun;
    }

    /**
     * The server was connected anew. A call on trial may have gone down with the connection before, or have made this
     * one: that it works still counts. Its failure does not, but only the first time, since a server may fall each time
     * that it was connected.
     */
    void connected() {
        if (begunBefore == 0) {
            begunBefore = begun;
        }
        isUnderWay = false;
    }

    /** Whether the failure of this one tells of the server as it is now. */
    boolean counts(long number) {
        return number > begunBefore;
    }

    /** The one of this number has told nothing; another one may be tried. */
    void unsaid(long number) {
        if (number == begun) {
            isUnderWay = false;
        }
    }

    void clear() {
        isUnderWay = false;
        begun = 0;
        begunBefore = 0;
    }
}
