package io.mcpbridge.engine;

import io.mcpbridge.engine.upstream.connection.BridgeIdentity;

/** The version of the bridge that runs. */
public final class BridgeVersion {
    /** The version of the artifact. */
    public static final String CURRENT = BridgeIdentity.OURS.version();

    private BridgeVersion() {}
}
