package io.mcpbridge.message;

/** The protocol era of a peer: with a handshake or without one. */
public enum Era {

    /** Revisions before 2026-07-28: an {@code initialize} handshake opens a stateful session. */
    LEGACY,

    /**
     * Revision 2026-07-28 and later: no handshake; each request carries revision, client and capabilities in its
     * {@code _meta}.
     */
    MODERN
}
