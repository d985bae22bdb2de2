package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** Resolves paths that may begin with {@code ~/} for the home folder, as in a shell. */
public final class HomePath {

    private HomePath() {}

    /**
     * Resolves a path.
     *
     * @param variables the environment, for the home folder
     * @throws ConfigurationException if the text is not a path, or begins with the home folder of another user
     */
    public static Path of(String text, Map<String, String> variables) {
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

    /** The home folder of the bridge's user. */
    public static Path home(Map<String, String> variables) {
        return Path.of(variables.getOrDefault("HOME", System.getProperty("user.home", ".")));
    }
}
