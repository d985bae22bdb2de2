package io.mcpbridge.serve;

/** Something that a tool may need and a {@link Mode} may lack. */
public enum Capability {
    /** Changing something; every tool needs it that is not declared read-only. */
    WRITE,
    /** Reaching beyond this machine. */
    NETWORK,
    /** Asking the client while the tool works. */
    ASK_CLIENT
}
