package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** Paths as people write them, who expect {@code ~/} to be their home folder, since that is what shells make of it. */
public final class HomePath {

    private HomePath() {}

    /**
     * The path that is meant.
     *
     * @param variables tell where the home folder is
     * @throws ConfigurationException if it is none, or begins with the home folder of somebody else
     */
    public static Path of(String text, Map<String, String> variables) {
        if (text.equals("~") || text.startsWith("~/")) {
            return home(variables).resolve(text.substring(Math.min(2, text.length())));
        }
        if (text.startsWith("~")) {
            throw ConfigurationException.of(
                    "'%s' must be a path; only '~/' is read as a home folder, your own: write the other one in full"
                            .formatted(text));
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException none) {
            throw ConfigurationException.of("'%s' is no path: %s".formatted(text, none.getReason()));
        }
    }

    /** The home folder of whom we are. */
    public static Path home(Map<String, String> variables) {
        return Path.of(variables.getOrDefault("HOME", System.getProperty("user.home", ".")));
    }
}
