package io.mcpbridge.internal.definition;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The members of an object in a definition, with checks that find mistakes in them. Pure.
 *
 * @param path the path of the object, such as {@code annotations/}
 */
record MemberChecks(String path, Map<String, String> raw) {
    private static final int LONGEST_VALUE = 40;

    /** A rule that finds one kind of mistake. */
    interface Rule {

        Optional<String> mistake();
    }

    static MemberChecks of(String path, String rawObject) {
        return new MemberChecks(path, JsonCodec.rawMembers(rawObject));
    }

    /** The first mistake; later rules are not evaluated. */
    static Optional<String> first(Rule... rules) {
        return Stream.of(rules).flatMap(rule -> rule.mistake().stream()).findFirst();
    }

    /** The mistake if the member exists and its value does not fit. */
    Optional<String> unless(String key, Predicate<String> fits, String words) {
        return Optional.ofNullable(raw.get(key))
                .filter(fits.negate())
                .map(value -> "'%s%s' is %s but must be %s".formatted(path, key, cut(value), words));
    }

    Optional<String> unlessText(String key) {
        return unless(key, MemberChecks::isText, "a text");
    }

    Optional<String> unlessObject(String key) {
        return unless(key, MemberChecks::isObject, "an object");
    }

    /** The mistake if the member is absent or is no text. */
    Optional<String> unlessTextIsThere(String key) {
        return raw.containsKey(key)
                ? unlessText(key)
                : Optional.of("'%s%s' is missing but must be a text".formatted(path, key));
    }

    /** The first mistake in the object {@code key}, if it exists. */
    Optional<String> inside(String key, Function<MemberChecks, Optional<String>> rules) {
        return unlessObject(key)
                .or(() ->
                        Optional.ofNullable(raw.get(key)).flatMap(object -> rules.apply(of(path + key + "/", object))));
    }

    /** The first mistake in an object of the array {@code key}, if it exists. */
    Optional<String> insideEach(String key, String one, Function<MemberChecks, Optional<String>> rules) {
        return unless(key, MemberChecks::isArray, "an array")
                .or(() -> JsonCodec.rawElements(raw.getOrDefault(key, "[]")).stream()
                        .flatMap(element ->
                                new MemberChecks(path + key + "/", Map.of(one, element)).inside(one, rules).stream())
                        .findFirst());
    }

    /** The icons, which definitions of all kinds may have. */
    Optional<String> icons() {
        return insideEach(
                "icons",
                "icon",
                icon -> first(
                        () -> icon.unlessTextIsThere("src"),
                        () -> icon.unlessText("mimeType"),
                        () -> icon.unless("sizes", MemberChecks::isArrayOfTexts, "an array of texts"),
                        () -> icon.unless("theme", isOneOf("light", "dark"), "\"light\" or \"dark\"")));
    }

    /** The mistake if a member has an unpaired surrogate; many readers reject the whole list because of one. */
    Optional<String> loneSurrogate() {
        return raw.entrySet().stream()
                .filter(each -> JsonStrings.hasLoneSurrogate(each.getValue()))
                .map(each -> "'%s%s' writes a surrogate that stands alone, as in \"\\ud800\", which is no text"
                        .formatted(path, each.getKey()))
                .findFirst();
    }

    static Predicate<String> isOneOf(String... values) {
        var known = Set.of(values);
        return raw -> JsonCodec.text(raw).filter(known::contains).isPresent();
    }

    static boolean isText(String raw) {
        return raw.startsWith("\"");
    }

    static boolean isObject(String raw) {
        return raw.startsWith("{");
    }

    static boolean isArray(String raw) {
        return raw.startsWith("[");
    }

    static boolean isFlag(String raw) {
        return raw.equals("true") || raw.equals("false");
    }

    static boolean isArrayOfTexts(String raw) {
        return isArray(raw) && JsonCodec.rawElements(raw).stream().allMatch(MemberChecks::isText);
    }

    static String cut(String raw) {
        return raw.length() <= LONGEST_VALUE ? raw : raw.substring(0, LONGEST_VALUE) + "…";
    }
}
