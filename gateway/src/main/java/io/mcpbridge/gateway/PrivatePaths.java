package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.spi.ProcessLimits.KernelFolders;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files and sockets that a configuration places outside of the usual folders of the bridge: itself and the files that
 * it inserts, the sockets, the audit trail and its keys.
 */
public final class PrivatePaths {
    private PrivatePaths() {}

    /** The section {@code sandbox} of a configuration, with these paths among the hidden ones. */
    public static Settings hiddenBySandbox(BridgeConfiguration configuration, DaemonOptions options) {
        var sandbox = configuration.bridge().plugIns().sandbox();
        var hidden = new ArrayList<>(sandbox.with(Map.of()).texts("hidden"));
        of(configuration, options)
                .filter(path -> !KernelFolders.showThrough(path))
                .map(Path::toString)
                .filter(path -> !hidden.contains(path))
                .forEach(hidden::add);
        return sandbox.with(Map.of("hidden", List.copyOf(hidden)));
    }

    private static Stream<Path> of(BridgeConfiguration configuration, DaemonOptions options) {
        var listener = options.listeners(configuration.bridge().listeners()).get("unix");
        var socket = Optional.ofNullable(listener).flatMap(section -> path(section, "path"));
        var audit = configuration.bridge().plugIns().audit();
        var trail = path(audit, "path");
        var settings = Stream.of(
                socket,
                socket.map(DaemonClient::socketBeside),
                trail,
                path(audit, "key").or(() -> trail.map(path -> beside(path, ".key"))),
                path(audit.with(Map.of()).section("redact"), "key")
                        .or(() -> trail.map(path -> beside(path, "-redaction.key"))));
        return Stream.concat(configuration.files().stream(), settings.flatMap(Optional::stream));
    }

    private static Path beside(Path trail, String ending) {
        return trail.resolveSibling(trail.getFileName() + ending);
    }

    /** Reads from a copy: the plug-in itself reads the key, or reports it as unknown. */
    private static Optional<Path> path(Settings section, String key) {
        return section.with(Map.of())
                .text(key)
                .map(text -> UserFolders.resolve(text, System.getenv())
                        .toAbsolutePath()
                        .normalize());
    }
}
