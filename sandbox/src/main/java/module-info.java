/** Sandboxes child processes: they cannot outlive their parent, and may have limits. */
module io.mcpbridge.sandbox {
    requires transitive io.mcpbridge.core;
    requires io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.sandbox;

    provides io.mcpbridge.spi.ProcessLauncherProvider with
            io.mcpbridge.sandbox.SandboxLauncherProvider;
}
