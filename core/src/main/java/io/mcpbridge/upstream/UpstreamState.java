package io.mcpbridge.upstream;

/** How an upstream is. */
public enum UpstreamState {
    /** Nobody has needed it yet. */
    IDLE,
    /** Its last session stands, or ended in good order. */
    HEALTHY,
    /** It is disconnected, and the next call tries again. */
    DEGRADED,
    /** It is disconnected and stays so. */
    UNAVAILABLE
}
