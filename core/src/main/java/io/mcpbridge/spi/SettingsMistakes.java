package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.LocatedJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The mistakes in one section, each with the line and the whole path of its key. Any thread.
 *
 * <p>A mistake that a settings record reports gets the location of its key; its text stays unchanged, since the record
 * decides what may be quoted.
 */
final class SettingsMistakes {
    private static final Pattern OF_KEY = Pattern.compile("'([^']+)' (.*)", Pattern.DOTALL);
    private static final Pattern QUOTING = Pattern.compile("is .* (?=but must )", Pattern.DOTALL);
    private static final Pattern LOCATED = Pattern.compile("line \\d+: .*", Pattern.DOTALL);

    private final String path;
    private final int line;
    private final Map<String, LocatedJson> entries;
    private final CopyOnWriteArrayList<String> problems = new CopyOnWriteArrayList<>();
    private final Set<String> rejected = new ConcurrentSkipListSet<>();
    private final Set<String> known = new ConcurrentSkipListSet<>();
    private final Map<String, String> aliases = new ConcurrentHashMap<>();

    /**
     * Creates an empty list of mistakes.
     *
     * @param path the keys that lead to the section, with dots between; empty for a whole document
     * @param line the line of the section; 0 if it does not come from a document
     */
    SettingsMistakes(String path, int line, Map<String, LocatedJson> entries) {
        this.path = path;
        this.line = line;
        this.entries = entries;
    }

    String path() {
        return path;
    }

    int line() {
        return line;
    }

    void markKnown(String key) {
        known.add(key);
    }

    boolean isKnown(String key) {
        return known.contains(key);
    }

    /** A mistake at {@code key} names {@code alias} if only that is in the section. */
    void alias(String key, String alias) {
        aliases.put(key, alias);
    }

    void add(String problem) {
        problems.addIfAbsent(problem);
    }

    void addAll(SettingsMistakes others) {
        others.problems.forEach(this::add);
    }

    void missing(String key) {
        markKnown(key);
        rejected.add(key);
        add("%s is missing".formatted(name(key)));
    }

    void rejectName(String key, String rule) {
        rejected.add(key);
        add("%s must be %s".formatted(name(key), rule));
    }

    void reject(String name, String rule) {
        var key = written(name);
        var node = entries.get(key);
        var quoted = node == null ? "" : " is " + SettingsConversion.shown(node) + " but";
        rejected.add(key);
        add("%s%s must be %s".formatted(name(key), quoted, withoutFillings(rule)));
    }

    String unknown(String key) {
        return SettingsConversion.unknown(name(key), key, known);
    }

    /** The same without the known keys, which are many in the section of a server. */
    String unknownBriefly(String key) {
        var question = Nearest.to(key, known).map("; did you mean '%s'?"::formatted);
        return name(key) + " is not a key here" + question.orElse("");
    }

    <T> T noting(Supplier<T> maker, T defaultValue) {
        try {
            return maker.get();
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(problem -> add(located(problem)));
            return defaultValue;
        }
    }

    <T> T locate(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (ConfigurationException wrong) {
            throw ConfigurationException.ofAll(
                    wrong.problems().stream().map(this::located).toList());
        }
    }

    /** Makes the record even if there are mistakes already, to find the mistakes in the other keys. */
    <T> T finish(Supplier<T> maker, List<String> unknownKeys) {
        var all = new ArrayList<>(problems);
        all.addAll(unknownKeys);
        if (all.isEmpty()) {
            return locate(maker);
        }
        try {
            var unused = maker.get();
        } catch (ConfigurationException wrong) {
            wrong.problems().stream()
                    .filter(this::isOfAnotherKey)
                    .map(this::located)
                    .filter(problem -> !all.contains(problem))
                    .forEach(all::add);
        } catch (RuntimeException unfit) {
            // A wrong value was replaced by its default, which the maker may not accept.
            throw ConfigurationException.ofAll(all);
        }
        throw ConfigurationException.ofAll(all);
    }

    private boolean isOfAnotherKey(String problem) {
        var parts = OF_KEY.matcher(problem);
        return parts.matches() && isKey(parts.group(1)) && !rejected.contains(written(parts.group(1)));
    }

    private String located(String problem) {
        var parts = OF_KEY.matcher(problem);
        if (parts.matches() && isKey(parts.group(1))) {
            var key = written(parts.group(1));
            return name(key) + " " + withoutFilling(key, parts.group(2));
        }
        var words = withoutFillings(problem);
        if (path.isEmpty() || LOCATED.matcher(problem).matches()) {
            return words;
        }
        return place(line) + "in '" + path + "': " + words;
    }

    private String withoutFilling(String key, String words) {
        var node = entries.get(key);
        return node != null && node.filledIn()
                ? QUOTING.matcher(words).replaceFirst("is a text that was filled in ")
                : withoutFillings(words);
    }

    /** Hides texts that were filled in at any key of the section. */
    private String withoutFillings(String words) {
        return Fillings.of(entries.values()).hiddenIn(words);
    }

    private boolean isKey(String key) {
        return known.contains(key) || entries.containsKey(key);
    }

    private String written(String key) {
        var alias = aliases.getOrDefault(key, key);
        return !entries.containsKey(key) && entries.containsKey(alias) ? alias : key;
    }

    private String name(String key) {
        var node = entries.get(key);
        return place(node == null ? line : node.line()) + "'" + join(key) + "'";
    }

    String join(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String place(int line) {
        return line == 0 ? "" : "line " + line + ": ";
    }

    /**
     * The texts that were filled in from outside the document at any depth of a section, and may be secrets. Immutable.
     */
    private record Fillings(List<String> texts) {
        private static final String HIDDEN = "***";

        /** A shorter text is hidden only in quotes, since it may be a part of any word. */
        private static final int MIN_UNQUOTED_LENGTH = 8;

        static Fillings of(Collection<LocatedJson> nodes) {
            return new Fillings(nodes.stream()
                    .flatMap(Fillings::filledIn)
                    .flatMap(text -> Stream.of(text, Secret.hiddenIn(text)))
                    .filter(text -> !text.isEmpty() && !text.equals(HIDDEN))
                    .distinct()
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .toList());
        }

        private static Stream<String> filledIn(LocatedJson node) {
            if (node.filledIn()) {
                return Stream.of(String.valueOf(node.value()));
            }
            return Stream.concat(node.elements().stream(), node.members().values().stream())
                    .flatMap(Fillings::filledIn);
        }

        /** The message with all of these texts hidden. */
        String hiddenIn(String words) {
            var shown = words;
            for (var text : texts) {
                shown = shown.replace("'" + text + "'", "'" + HIDDEN + "'");
                shown = text.length() < MIN_UNQUOTED_LENGTH ? shown : shown.replace(text, HIDDEN);
            }
            return shown;
        }
    }
}
