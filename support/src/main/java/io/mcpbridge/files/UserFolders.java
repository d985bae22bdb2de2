package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folders of the bridge's user, by the XDG Base Directory Specification, version 0.8: a variable that is empty or
 * names a relative path does not count. Also resolves paths in the home folder.
 */
public final class UserFolders {
    private static final String OURS = "mcp-bridge";

    private UserFolders() {}

    /** The folder of the configuration, {@code ~/.config/mcp-bridge} by default. */
    public static Path configuration(Map<String, String> variables) {
        return variable("XDG_CONFIG_HOME", variables)
                .orElseGet(() -> home(variables).resolve(".config"))
                .resolve(OURS);
    }

    /** The folder of what is kept from one run to the next, {@code ~/.local/state/mcp-bridge} by default. */
    public static Path state(Map<String, String> variables) {
        return variable("XDG_STATE_HOME", variables)
                .map(folder -> folder.resolve(OURS))
                .orElseGet(() -> usualState(variables));
    }

    /** The folder {@code ~/.local/state/mcp-bridge}, whatever {@code XDG_STATE_HOME} says. */
    public static Path usualState(Map<String, String> variables) {
        return home(variables).resolve(".local").resolve("state").resolve(OURS);
    }

    /** The folder of sockets; empty without {@code XDG_RUNTIME_DIR}. */
    public static Optional<Path> runtime(Map<String, String> variables) {
        return variable("XDG_RUNTIME_DIR", variables).map(folder -> folder.resolve(OURS));
    }

    /**
     * Resolves a path that may begin with {@code ~/} for the home folder, as in a shell.
     *
     * @param variables the environment, for the home folder
     * @throws ConfigurationException if the text is not a path, or begins with the home folder of another user
     */
    public static Path resolve(String text, Map<String, String> variables) {
        if (text.equals("~") || text.startsWith("~/")) {
            return home(variables).resolve(text.substring(Math.min(2, text.length())));
        }
        if (text.startsWith("~")) {
            throw ConfigurationException.of(
                    "'%s' is not supported: only '~/' is read as a home folder, your own; write the path in full"
                            .formatted(text));
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException none) {
            throw ConfigurationException.of("'%s' is not a path: %s".formatted(text, none.getReason()));
        }
    }

    private static Path home(Map<String, String> variables) {
        return variable("HOME", variables).orElseGet(() -> Path.of(System.getProperty("user.home", ".")));
    }

    private static Optional<Path> variable(String name, Map<String, String> variables) {
        return Optional.ofNullable(variables.get(name)).map(Path::of).filter(Path::isAbsolute);
    }
}
