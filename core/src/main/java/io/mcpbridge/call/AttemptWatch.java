package io.mcpbridge.call;

/** Watches one attempt of a call and may send something along with it. Never waits; any thread. */
public interface AttemptWatch {

    /** Nobody watches. */
    AttemptWatch NONE = new AttemptWatch() {};

    /**
     * The attempt's message is made; what is returned goes with it. Comes again where the same attempt is sent anew, as
     * after a lost session, and not at all where nothing is sent.
     */
    default Additions sending(Sending sending) {
        return Additions.NONE;
    }

    /** The attempt has its outcome. */
    default void ended(Outcome outcome) {}
}
