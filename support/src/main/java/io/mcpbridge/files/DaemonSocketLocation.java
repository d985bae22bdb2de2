package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the path of the daemon's socket: for the daemon, which creates it, and for clients, which look for it.
 *
 * <p>A client uses the first of these: its argument, the variable {@code MCP_BRIDGE_SOCKET}, its configuration file,
 * the well-known paths. Immutable.
 */
public final class DaemonSocketLocation {

    /** The well-known path that all users share; trusted only after a check of the listening process's user. */
    public static final Path SHARED = Path.of("/tmp/mcp-bridge.sock");

    /** The variable that names the socket. */
    public static final String VARIABLE = "MCP_BRIDGE_SOCKET";

    private static final String FILE = "bridge.sock";

    private final Map<String, String> variables;
    private final Path shared;

    DaemonSocketLocation(Map<String, String> variables, Path shared) {
        this.variables = Map.copyOf(variables);
        this.shared = shared;
    }

    /** Uses these environment variables. */
    public static DaemonSocketLocation in(Map<String, String> variables) {
        return new DaemonSocketLocation(variables, SHARED);
    }

    /**
     * Returns the path where a daemon listens by default: in the user's runtime folder, or below the user's home if
     * there is none.
     *
     * @throws ConfigurationException if neither {@code XDG_RUNTIME_DIR} nor a home is set
     */
    public Path ofDaemon() {
        return UserFolders.runtime(variables).orElseGet(this::belowHome).resolve(FILE);
    }

    /**
     * Returns the path where a client finds the daemon.
     *
     * @param argument the value of {@code --mcp-bridge-socket}, if given
     * @param configured the {@code socketPath} of its configuration file, if set
     */
    public Path ofClient(Optional<String> argument, Optional<Path> configured) {
        return argument.map(Path::of)
                .or(() -> Optional.ofNullable(variables.get(VARIABLE))
                        .filter(value -> !value.isBlank())
                        .map(Path::of))
                .or(() -> configured)
                .orElseGet(this::wellKnown);
    }

    /** The first well-known path that exists, or the first of all if none does. */
    private Path wellKnown() {
        var places = List.of(ofDaemon(), shared);
        return places.stream().filter(Files::exists).findFirst().orElse(places.get(0));
    }

    private Path belowHome() {
        return Optional.of(UserFolders.usualState(variables).resolve("run"))
                .filter(Path::isAbsolute)
                .orElseThrow(() -> ConfigurationException.of(
                        "neither 'XDG_RUNTIME_DIR' nor 'HOME' is set to a folder; set one, or name the path of"
                                + " the socket"));
    }
}
