package io.mcpbridge.message;

/** Which of the two ways of speaking the Model Context Protocol a peer uses. */
public enum Era {

    /** Revisions before 2026-07-28: an {@code initialize} handshake opens a stateful session. */
    LEGACY,

    /** Revision 2026-07-28 and later: no handshake, each request says everything in its {@code _meta}. */
    MODERN
}
