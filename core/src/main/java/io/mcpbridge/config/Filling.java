package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts variables and files where a text says <code>${env:NAME}</code> or <code>${file:path}</code>. One thread. */
final class Filling {
    private static final Pattern PLACE = Pattern.compile("\\$\\{(env|file):([^}]*)(}?)");
    private static final long MOST_BYTES = 1 << 20;

    private final Path folder;
    private final Map<String, String> variables;
    private final Set<Secret> filledIn = new LinkedHashSet<>();

    /**
     * A filling, for one document.
     *
     * @param folder where files are looked for
     */
    Filling(Path folder, Map<String, String> variables) {
        this.folder = folder;
        this.variables = variables;
    }

    /**
     * The text with everything filled in; what was filled in is not looked at again.
     *
     * @throws ConfigurationException with everything that is missing
     */
    String fill(String text) {
        var mistakes = new Mistakes();
        var filled = PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(
                        mistakes.collect(() -> value(place)).orElse("")));
        mistakes.throwIfAny();
        return filled;
    }

    /** What was filled in so far and may be a secret; the path of something that is there is none. */
    List<Secret> filledIn() {
        return List.copyOf(filledIn);
    }

    private String value(MatchResult place) {
        if (place.group(3).isEmpty()) {
            throw ConfigurationException.of("'%s' must end with '}'".formatted(place.group()));
        }
        var isVariable = place.group(1).equals("env");
        var value = isVariable ? variable(place.group(2)) : file(place.group(2));
        if (!isVariable || !isPath(value)) {
            filledIn.add(Secret.of(value));
        }
        return value;
    }

    /** Whether it is the path of something that is there. */
    static boolean isPath(String value) {
        try {
            return value.startsWith("/") && Files.exists(Path.of(value));
        } catch (InvalidPathException notAPath) {
            return false;
        }
    }

    private String variable(String name) {
        var value = variables.get(name);
        if (value == null) {
            throw ConfigurationException.of(
                    "'${env:%s}' cannot be filled in: set the environment variable '%s'".formatted(name, name));
        }
        return value;
    }

    private String file(String name) {
        try {
            var path = folder.resolve(name);
            if (Files.size(path) > MOST_BYTES) {
                throw unusable(name, "'%s' is longer than %d bytes".formatted(path, MOST_BYTES));
            }
            return withoutLineEnd(Files.readString(path));
        } catch (CharacterCodingException notText) {
            throw unusable(name, "'%s' is not UTF-8 text".formatted(folder.resolve(name)));
        } catch (IOException unreadable) {
            throw unusable(name, "'%s' cannot be read (%s)".formatted(folder.resolve(name), reason(unreadable)));
        } catch (InvalidPathException notAPath) {
            throw unusable(name, "it is not a path");
        }
    }

    private static ConfigurationException unusable(String name, String why) {
        return ConfigurationException.of("'${file:%s}' cannot be filled in: %s".formatted(name, why));
    }

    private static String reason(IOException unreadable) {
        return unreadable.getClass().getSimpleName().replace("Exception", "");
    }

    private static String withoutLineEnd(String text) {
        var end = text.endsWith("\r\n") ? 2 : text.endsWith("\n") ? 1 : 0;
        return text.substring(0, text.length() - end);
    }
}
