package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.LocatedJson;
import io.mcpbridge.message.CanonicalJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One section of the configuration, read key by key. Any thread may read it.
 *
 * <p>For a value of the wrong kind, a method records a mistake and returns the default. {@link #finish} makes the
 * settings record and reports all mistakes together. A key that is not read is a mistake too.
 */
public final class Settings {
    private final Map<String, LocatedJson> entries;
    private final SettingsMistakes mistakes;
    private volatile boolean unknownKeysAllowed;

    private Settings(String path, int line, Map<String, LocatedJson> entries) {
        this.entries = entries;
        this.mistakes = new SettingsMistakes(path, line, entries);
    }

    /** A section from plain values: strings, numbers, booleans, lists and maps. */
    public static Settings of(Map<String, ?> values) {
        return new Settings("", 0, LocatedJson.of(values).members());
    }

    /** Parses a document that people write; comments are allowed. */
    public static Settings parse(String json) {
        return new Settings("", 0, JsonCodec.readCommented(json).members());
    }

    /**
     * Parses a document and passes each text through {@code filling}. A {@link ConfigurationException} of {@code
     * filling} is recorded with the line of the text. Messages never quote a text that it filled in.
     */
    public static Settings parse(String json, UnaryOperator<String> filling) {
        var document = JsonCodec.readCommented(json);
        var settings = new Settings("", 0, document.members()).filledBy(filling);
        if (!(document.value() instanceof Map<?, ?>)) {
            settings.mistakes.add("line %d: the document is %s but must be an object"
                    .formatted(document.line(), SettingsConversion.shown(document)));
        }
        return settings;
    }

    /** A copy in which these keys have other values, as arguments of a command override a file. */
    public Settings with(Map<String, ?> values) {
        var changed = new LinkedHashMap<>(entries);
        changed.putAll(LocatedJson.of(values).members());
        return copy(changed);
    }

    /** A copy in which the value of {@code key} has another key, unless that has a value. */
    public Settings renaming(String key, String newKey) {
        if (!entries.containsKey(key) || entries.containsKey(newKey)) {
            return this;
        }
        var renamed = new LinkedHashMap<>(entries);
        renamed.put(newKey, renamed.remove(key));
        return copy(renamed);
    }

    /** A copy with the keys of {@code defaults} that are absent here; a section in both is merged key by key. */
    public Settings withDefaults(Settings defaults) {
        return copy(SettingsConversion.merged(entries, defaults.entries));
    }

    /** A copy with all keys of {@code others}, which override those here; a section in both is merged key by key. */
    public Settings overriddenBy(Settings others) {
        return copy(SettingsConversion.merged(others.entries, entries));
    }

    /** A copy with each text passed through {@code filling}, as {@link #parse(String, UnaryOperator)} does it. */
    public Settings filledBy(UnaryOperator<String> filling) {
        var problems = new ArrayList<String>();
        var document = new LocatedJson(entries, mistakes.line());
        var copy = copy(document.map(mistakes.path(), (path, node) -> filledBy(filling, path, node, problems))
                .members());
        problems.forEach(copy.mistakes::add);
        return copy;
    }

    private static LocatedJson filledBy(
            UnaryOperator<String> filling, String path, LocatedJson node, List<String> problems) {
        if (!(node.value() instanceof String text)) {
            return node;
        }
        try {
            var filled = filling.apply(text);
            return new LocatedJson(filled, node.line(), !filled.equals(text));
        } catch (ConfigurationException wrong) {
            wrong.problems()
                    .forEach(problem -> problems.add("line %d: in '%s': %s".formatted(node.line(), path, problem)));
            return node;
        }
    }

    /** A copy in which the section at {@code key} has none of these members. */
    Settings without(String key, Set<String> members) {
        var section = entries.get(key);
        if (section == null || !isSection(key)) {
            return this;
        }
        var kept = new LinkedHashMap<>(section.members());
        kept.keySet().removeAll(members);
        var changed = new LinkedHashMap<>(entries);
        changed.put(key, new LocatedJson(kept, section.line()));
        return copy(changed);
    }

    private Settings copy(Map<String, LocatedJson> otherEntries) {
        var copy = new Settings(mistakes.path(), mistakes.line(), otherEntries);
        copy.unknownKeysAllowed = unknownKeysAllowed;
        return copy;
    }

    /** A section with only the entries of these keys, which count as read here from now on. */
    public Settings only(Set<String> keys) {
        keys.forEach(mistakes::markKnown);
        var kept = new LinkedHashMap<>(entries);
        kept.keySet().retainAll(keys);
        return new Settings(mistakes.path(), mistakes.line(), kept);
    }

    /** Whether the value of the key is an object. */
    public boolean isSection(String key) {
        var node = entries.get(key);
        return node != null && node.value() instanceof Map<?, ?>;
    }

    /** Whether the value of the key is an empty list. */
    boolean isEmptyList(String key) {
        var node = entries.get(key);
        return node != null && node.value() instanceof List<?> list && list.isEmpty();
    }

    /** Whether the value of the key is this text; other kinds of values are allowed. */
    public boolean says(String key, String word) {
        mistakes.markKnown(key);
        var node = entries.get(key);
        return node != null && word.equals(node.value());
    }

    /** Whether the other section has equal content, regardless of the lines in the document. */
    public boolean saysTheSameAs(Settings other) {
        return SettingsConversion.areEqual(new LocatedJson(entries, 0), new LocatedJson(other.entries, 0));
    }

    /**
     * A digest of the content, regardless of order and lines: 64 hexadecimal digits. It leaves out texts that came from
     * elsewhere, such as variables, since they may be secrets.
     */
    public String digest() {
        return CanonicalJson.EXACT.sha256(SettingsConversion.withoutFilledIn(new LocatedJson(entries, 0)));
    }

    /** Whether the section has the key. */
    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** The keys of the section, in the order of the document. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(entries.keySet());
    }

    public Optional<String> text(String key) {
        return read(key, node -> SettingsConversion.as(String.class, "a text", node));
    }

    public String text(String key, String defaultValue) {
        return text(key).orElse(defaultValue);
    }

    /** A required text; if it is absent, records a mistake and returns the empty string. */
    public String requiredText(String key) {
        if (!entries.containsKey(key)) {
            mistakes.missing(key);
        }
        return text(key).orElse("");
    }

    /**
     * The one of these values whose word is the value of the key. For any other text, a mistake is recorded and the
     * result is empty.
     *
     * @param rule completes "must be …"
     */
    public <E> Optional<E> choice(String key, E[] values, Function<E, String> word, String rule) {
        var written = text(key);
        var chosen = written.flatMap(text -> Stream.of(values)
                .filter(value -> word.apply(value).equals(text))
                .findFirst());
        require(written.isEmpty() || chosen.isPresent(), key, rule);
        return chosen;
    }

    public int integer(String key, int defaultValue) {
        return read(key, node -> SettingsConversion.integer("a whole number", node))
                .orElse(defaultValue);
    }

    /**
     * A number of bytes with its unit: {@code B}, those of 1024 ({@code KiB}, {@code MiB}, {@code GiB}, {@code TiB}) or those
     * of 1000 ({@code KB}, {@code MB}, {@code GB}, {@code TB}); less than {@code 2GiB}.
     */
    public int bytes(String key, int defaultValue) {
        return read(key, SettingsConversion::bytes).orElse(defaultValue);
    }

    /**
     * A number of bytes in the same form, without the limit of {@code 2GiB}, for data outside of this process's memory.
     */
    public long size(String key, long defaultValue) {
        return read(key, SettingsConversion::size).orElse(defaultValue);
    }

    public double number(String key, double defaultValue) {
        return read(key, node -> SettingsConversion.as(BigDecimal.class, "a number", node))
                .map(BigDecimal::doubleValue)
                .orElse(defaultValue);
    }

    public boolean flag(String key, boolean defaultValue) {
        return read(key, node -> SettingsConversion.as(Boolean.class, "true or false", node))
                .orElse(defaultValue);
    }

    /** A time span with its unit: {@code 200ms}, {@code 5s}, {@code 2m}, {@code 1h}; at most 36500 days. */
    public Optional<Duration> duration(String key) {
        return read(key, SettingsConversion::duration);
    }

    public Duration duration(String key, Duration defaultValue) {
        return duration(key).orElse(defaultValue);
    }

    /** A time span under its own key, or as a count of milliseconds under {@code millisKey}, the contract's name. */
    public Duration duration(String key, String millisKey, Duration defaultValue) {
        mistakes.alias(key, millisKey);
        var millis = read(millisKey, node -> SettingsConversion.integer("a whole number of milliseconds", node));
        return duration(key).or(() -> millis.map(Duration::ofMillis)).orElse(defaultValue);
    }

    /** A list of texts, empty if the key is absent. */
    public List<String> texts(String key) {
        return read(key, SettingsConversion::texts).orElse(List.of());
    }

    /** Texts by name, in the order of the document, empty if the key is absent. */
    public Map<String, String> textsByName(String key) {
        return read(key, SettingsConversion::textsByName).orElse(Map.of());
    }

    /** A section within this one; empty if the key is absent. */
    public Settings section(String key) {
        var node = read(key, SettingsConversion::object);
        return new Settings(
                mistakes.join(key),
                node.map(LocatedJson::line).orElse(mistakes.line()),
                node.map(LocatedJson::members).orElse(Map.of()));
    }

    /** The sections within the object at {@code key}, by name, in the order of the document. */
    public Map<String, Settings> sections(String key) {
        return sections(key, Set.of());
    }

    /**
     * The sections within the object at {@code key}, in which some names may have other values.
     *
     * @param others names whose values are skipped unless they are objects
     */
    public Map<String, Settings> sections(String key, Set<String> others) {
        var outer = section(key);
        var sections = new LinkedHashMap<String, Settings>();
        for (var name : outer.keys()) {
            if (!others.contains(name) || outer.isSection(name)) {
                sections.put(name, outer.section(name));
            }
        }
        mistakes.addAll(outer.mistakes);
        return sections;
    }

    /** The one of two names of a key that the section has, else the first; both count as known from now on. */
    public String either(String key, String alias) {
        ignore(key, alias);
        mistakes.alias(key, alias);
        return has(alias) && !has(key) ? alias : key;
    }

    /** Records that a section has a wrong name; {@code rule} completes "must be …". */
    public void rejectName(String key, String rule) {
        mistakes.rejectName(key, rule);
    }

    /** Records a mistake that only the reader of the section can detect; {@code rule} completes "must be …". */
    public void reject(String key, String rule) {
        mistakes.reject(key, rule);
    }

    /**
     * Returns {@code holds}, and records a mistake if it is false.
     *
     * @param rule completes "must be …"
     */
    public boolean require(boolean holds, String key, String rule) {
        if (!holds) {
            mistakes.reject(key, rule);
        }
        return holds;
    }

    /** Runs {@code maker}. If it finds mistakes, records them and returns {@code defaultValue}. */
    public <T> T noting(Supplier<T> maker, T defaultValue) {
        return mistakes.noting(maker, defaultValue);
    }

    /** Lets {@link #finish} accept keys that are not read, as in files that other programs read too. */
    public Settings allowUnknownKeys() {
        unknownKeysAllowed = true;
        return this;
    }

    /** Marks keys as known because other code reads them. */
    public void ignore(String... keys) {
        List.of(keys).forEach(mistakes::markKnown);
    }

    /** Keys that were not read. */
    public List<String> unknownKeys() {
        return entries.keySet().stream().filter(key -> !mistakes.isKnown(key)).toList();
    }

    /** The same, each in a short sentence with its line and the nearest known key. */
    public List<String> unknownKeyWarnings() {
        return unknownKeys().stream().map(mistakes::unknownBriefly).toList();
    }

    private List<String> unknownKeyMistakes() {
        return unknownKeysAllowed
                ? List.of()
                : unknownKeys().stream().map(mistakes::unknown).toList();
    }

    /**
     * Ends the reading and makes the record. Mistakes that the record finds are reported with the line and the whole
     * path of the key.
     *
     * @throws ConfigurationException with every mistake recorded here, every key that was not read, and the mistakes
     *     that the record finds
     */
    public <T> T finish(Supplier<T> maker) {
        return mistakes.finish(maker, unknownKeyMistakes());
    }

    /** Runs {@code maker}, and reports its mistakes with the line and the whole path of the key. */
    public <T> T locate(Supplier<T> maker) {
        return mistakes.locate(maker);
    }

    /**
     * Reads a value; {@code convert} throws a {@link ConfigurationException} with the rule if the value is of the wrong
     * kind.
     */
    private <T> Optional<T> read(String key, Function<LocatedJson, T> convert) {
        mistakes.markKnown(key);
        var node = entries.get(key);
        if (node == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(convert.apply(node));
        } catch (ConfigurationException wrong) {
            wrong.problems().forEach(rule -> mistakes.reject(key, rule));
            return Optional.empty();
        }
    }
}
