package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.internal.json.LocatedJson;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Secret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves <code>${env:NAME}</code>, <code>${NAME}</code>, <code>${NAME:-default}</code> and <code>${file:path}</code> in
 * the texts of one document, and collects its secrets. Refuses placeholders of editors, so that none reaches a server, and
 * leaves expansions of shells; {@code $$} before a brace stands for a literal {@code $}. One thread.
 */
final class Placeholders {
    private static final Pattern PLACE = Pattern.compile("\\$?\\$\\{([^}]*)(}?)");
    private static final Pattern VARIABLE = Pattern.compile("(?:env:(.*)|([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?)");
    private static final String FILE = "file:";

    /** Placeholders that only an editor can fill in. */
    private static final Pattern EDITOR =
            Pattern.compile("/?|workspaceFolder\\w*|userHome|pathSeparator|(?!env:)[A-Za-z]\\w*:[A-Za-z].*");

    private static final long MOST_BYTES = 1 << 20;

    private final Path folder;
    private final Map<String, String> variables;
    private final Set<Secret> filledIn = new LinkedHashSet<>();
    private final Set<Path> files = new LinkedHashSet<>();

    /**
     * Makes an instance for one document.
     *
     * @param folder the folder of the files
     */
    Placeholders(Path folder, Map<String, String> variables) {
        this.folder = folder;
        this.variables = variables;
    }

    /**
     * Returns the text with all placeholders filled in. Does not resolve placeholders within a filled-in value.
     *
     * @throws ConfigurationException with every missing variable or file
     */
    String fill(String text) {
        var mistakes = new MistakeCollector();
        var filled = PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(
                        mistakes.collect(() -> value(place)).orElse("")));
        mistakes.throwIfAny();
        return filled;
    }

    /**
     * The secrets of the document: the values filled in so far, except for paths of existing files, and literal ones.
     */
    List<Secret> secrets(LocatedJson document) {
        var secrets = new ArrayList<>(filledIn);
        secrets.addAll(LiteralSecrets.in(document));
        return List.copyOf(secrets);
    }

    /** Whether a document contains a secret itself. */
    static boolean hasLiteralSecret(LocatedJson document) {
        return !LiteralSecrets.in(document).isEmpty();
    }

    /** The files that were inserted so far. */
    List<Path> files() {
        return List.copyOf(files);
    }

    private String value(MatchResult place) {
        if (place.group().startsWith("$$")) {
            return place.group().substring(1);
        }
        if (place.group(2).isEmpty()) {
            throw ConfigurationException.of("'%s' must end with '}'".formatted(place.group()));
        }
        var name = place.group(1);
        if (name.startsWith(FILE)) {
            return remember(file(name.substring(FILE.length())));
        }
        var variable = VARIABLE.matcher(name);
        if (variable.matches() && !EDITOR.matcher(name).matches()) {
            return variable(variable, place.group());
        }
        if (EDITOR.matcher(name).matches()) {
            throw ConfigurationException.of(
                    "'%s' cannot be filled in: only an editor knows it; write the value, '${env:NAME}' or '${file:path}', or '$%s' for the same text"
                            .formatted(place.group(), place.group()));
        }
        // An expansion of a shell, such as ${line#*:}, in a script that is an argument.
        return place.group();
    }

    private String variable(MatchResult written, String place) {
        var name = Optional.ofNullable(written.group(1)).orElse(written.group(2));
        var value = variables.get(name);
        var otherwise = written.group(3);
        if (otherwise != null && (value == null || value.isEmpty())) {
            return otherwise;
        }
        if (value == null) {
            throw ConfigurationException.of(
                    "'%s' cannot be filled in: set the environment variable '%s'".formatted(place, name));
        }
        return isPath(value) ? value : remember(value);
    }

    private String remember(String secret) {
        filledIn.add(Secret.of(secret));
        return secret;
    }

    /** Whether the value is the path of an existing file. */
    private static boolean isPath(String value) {
        try {
            return value.startsWith("/") && Files.exists(Path.of(value));
        } catch (InvalidPathException notAPath) {
            return false;
        }
    }

    private String file(String name) {
        try {
            var path = folder.resolve(name);
            if (Files.size(path) > MOST_BYTES) {
                throw unusable(name, "'%s' is longer than %d bytes".formatted(path, MOST_BYTES));
            }
            files.add(path.toAbsolutePath().normalize());
            return withoutLineEnd(Files.readString(path));
        } catch (CharacterCodingException notText) {
            throw unusable(name, "'%s' is not UTF-8 text".formatted(folder.resolve(name)));
        } catch (IOException unreadable) {
            throw unusable(name, "'%s' cannot be read: %s".formatted(folder.resolve(name), ErrorText.of(unreadable)));
        } catch (InvalidPathException notAPath) {
            throw unusable(name, "it is not a path");
        }
    }

    private static ConfigurationException unusable(String name, String why) {
        return ConfigurationException.of("'${file:%s}' cannot be filled in: %s".formatted(name, why));
    }

    private static String withoutLineEnd(String text) {
        var end = text.endsWith("\r\n") ? 2 : text.endsWith("\n") ? 1 : 0;
        return text.substring(0, text.length() - end);
    }

    /**
     * Finds literal secrets in one configuration document: tokens, headers, values whose names look secret, and
     * credentials in URLs.
     */
    private static final class LiteralSecrets {
        private static final Pattern SECRET_NAME = Pattern.compile(
                ".*(password|passwd|passphrase|passcode|pwd|secret|token|credential|authorization|cookie|.key|apikey|_pat|_auth)$");

        /** Headers that describe the client and what it accepts. */
        private static final Pattern HARMLESS_HEADER = Pattern.compile(
                "(accept|content|cache|if|sec)-.*|accept|user-agent|origin|referer|host|connection|via|date");

        /** Objects whose strings are all secrets. */
        private static final Set<String> ALL_SECRET = Set.of("tokens");

        private static final Pattern USER_OF_ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/\\s@]+)@");
        private static final Pattern SECRET_OF_QUERY = Pattern.compile("[?&]([^=&#\\s]+)=([^&#\\s]+)");
        private static final Pattern OPTION = Pattern.compile("--?([A-Za-z][A-Za-z0-9_-]*)(=(.*))?", Pattern.DOTALL);
        private static final Pattern SCHEME = Pattern.compile("(?i)(bearer|basic|token) +");
        private static final String HEADERS = "headers";

        private final List<Secret> found = new ArrayList<>();

        private LiteralSecrets() {}

        /** The secrets of a document. */
        static List<Secret> in(LocatedJson document) {
            var secrets = new LiteralSecrets();
            secrets.read(document, "", "");
            return List.copyOf(secrets.found);
        }

        private void read(LocatedJson node, String name, String outer) {
            if (node.value() instanceof Map<?, ?>) {
                node.members().forEach((key, member) -> read(member, key, name));
            } else if (node.value() instanceof List<?> list) {
                readList(list);
            } else if (node.value() instanceof String text) {
                if (isSecret(name, outer)) {
                    add(text);
                }
                readAddress(text);
            }
        }

        private static boolean isSecret(String name, String outer) {
            return outer.equals(HEADERS)
                    ? !HARMLESS_HEADER.matcher(name.toLowerCase(Locale.ROOT)).matches()
                    : ALL_SECRET.contains(outer) || looksSecret(name);
        }

        private static boolean looksSecret(String name) {
            return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
        }

        /** The arguments of a command: {@code --token x}, {@code --token=x}. */
        private void readList(List<?> list) {
            var isValue = false;
            for (var each : list) {
                var text = each instanceof LocatedJson node && node.value() instanceof String value ? value : "";
                var option = OPTION.matcher(text);
                if (isValue) {
                    add(text);
                }
                var isOption = option.matches() && looksSecret(option.group(1));
                if (isOption && option.group(3) != null) {
                    add(option.group(3));
                }
                isValue = isOption && option.group(2) == null;
                readAddress(text);
            }
        }

        private void readAddress(String text) {
            var user = USER_OF_ADDRESS.matcher(text);
            while (user.find()) {
                var colon = user.group(1).indexOf(':');
                add(colon < 0 ? user.group(1) : user.group(1).substring(colon + 1));
            }
            var query = SECRET_OF_QUERY.matcher(text);
            while (text.contains("://") && query.find()) {
                if (looksSecret(query.group(1))) {
                    add(query.group(2));
                }
            }
        }

        /** Placeholders and paths of existing files are no secrets. */
        private void add(String text) {
            var value = SCHEME.matcher(text).replaceFirst("");
            if (!value.contains("${") && !isPath(value)) {
                found.add(Secret.of(value));
            }
        }
    }
}
