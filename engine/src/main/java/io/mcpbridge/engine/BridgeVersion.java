package io.mcpbridge.engine;

import io.mcpbridge.engine.upstream.connection.BridgeIdentity;

/** The version of the bridge that runs. */
public final class BridgeVersion {
    /** The version of the artifact, or {@code development} where the classes do not come from a jar. */
    public static final String CURRENT = BridgeIdentity.OURS.version();

    private BridgeVersion() {}
}
