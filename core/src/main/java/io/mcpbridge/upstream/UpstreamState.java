package io.mcpbridge.upstream;

/** How an upstream is. */
public enum UpstreamState {
    /** Nobody has needed it yet. */
    IDLE,
    /** Its first session is being opened. */
    CONNECTING,
    /** Its last session stands, or ended in good order. */
    HEALTHY,
    /**
     * It is disconnected, and tried again; or it is connected, and its calls are held off since it fails, or
     * it says without end that its lists have changed.
     */
    DEGRADED,
    /** It is disconnected and given up; where it may come back at all, only a call tries. */
    UNAVAILABLE
}
