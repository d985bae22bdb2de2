package io.mcpbridge.upstream.introduction;

/** The version of this artifact, as its manifest says. */
final class BridgeVersion {

    private BridgeVersion() {}

    /** The version, or {@code development} where the classes do not come from a jar. */
    static String read() {
        var version = BridgeVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
