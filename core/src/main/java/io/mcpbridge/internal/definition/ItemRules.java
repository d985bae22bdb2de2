package io.mcpbridge.internal.definition;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.NumberText;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Validates a listed resource, resource template or prompt against the protocol of both eras. Checks the types of
 * members and not the meaning of texts; many clients reject a whole list because of one invalid member. Pure.
 */
public enum ItemRules {
    RESOURCE("uri"),
    RESOURCE_TEMPLATE("uriTemplate"),
    PROMPT("name");

    private static final Set<String> OPTIONAL =
            Set.of("title", "description", "mimeType", "size", "arguments", "annotations", "icons", "_meta");
    private static final Map<String, Set<String>> WITHIN = Map.of(
            "annotations", Set.of("audience", "priority", "lastModified"),
            "arguments", Set.of("title", "description", "required"),
            "icons", Set.of("mimeType", "sizes", "theme"));

    private final String key;

    ItemRules(String key) {
        this.key = key;
    }

    /** The member that identifies the item in requests. */
    public String key() {
        return key;
    }

    /**
     * Finds the first violation of the protocol.
     *
     * @return the first mistake as text; empty if there is none
     * @throws io.mcpbridge.failure.ProtocolException if it is not an object, or has a key twice
     */
    public Optional<String> flaw(String json) {
        var members = MemberChecks.of("", json);
        return MemberChecks.first(
                members::loneSurrogate,
                () -> members.unlessTextIsThere(key),
                () -> members.unlessTextIsThere("name"),
                () -> members.unlessText("title"),
                () -> members.unlessText("description"),
                members::icons,
                () -> members.unlessObject("_meta"),
                () -> this == PROMPT ? arguments(members) : contents(members));
    }

    private static Optional<String> arguments(MemberChecks prompt) {
        return prompt.insideEach(
                "arguments",
                "argument",
                argument -> MemberChecks.first(
                        () -> argument.unlessTextIsThere("name"),
                        () -> argument.unlessText("title"),
                        () -> argument.unlessText("description"),
                        () -> argument.unless("required", MemberChecks::isFlag, "true or false")));
    }

    private static Optional<String> contents(MemberChecks resource) {
        return MemberChecks.first(
                () -> resource.unlessText("mimeType"),
                () -> resource.unless("size", raw -> NumberText.read(raw).isPresent(), "a number"),
                () -> resource.inside("annotations", ItemRules::annotations));
    }

    private static Optional<String> annotations(MemberChecks annotations) {
        return MemberChecks.first(
                () -> annotations.unless("audience", ItemRules::isAudience, "an array of \"user\" and \"assistant\""),
                () -> annotations.unless("priority", ItemRules::isPriority, "a number from 0 to 1"),
                () -> annotations.unlessText("lastModified"));
    }

    private static boolean isAudience(String raw) {
        return MemberChecks.isArray(raw)
                && JsonCodec.rawElements(raw).stream().allMatch(MemberChecks.isOneOf("user", "assistant"));
    }

    private static boolean isPriority(String raw) {
        return NumberText.read(raw)
                .filter(priority -> priority.signum() >= 0 && priority.compareTo(BigDecimal.ONE) <= 0)
                .isPresent();
    }

    /**
     * Removes optional members that are {@code null}, here and in members that the protocol defines. Returns the text
     * unchanged if there are none.
     *
     * @throws io.mcpbridge.failure.ProtocolException if it is not an object, or has a key twice
     */
    public String mended(String json) {
        if (!json.contains("null")) {
            return json;
        }
        var members = JsonCodec.rawMembers(json);
        var mended = new LinkedHashMap<>(members);
        mended.entrySet().removeIf(each -> each.getValue().equals("null") && OPTIONAL.contains(each.getKey()));
        WITHIN.forEach((member, within) ->
                mended.computeIfPresent(member, (same, raw) -> DefinitionRepair.withoutNulls(raw, within)));
        return mended.equals(members) ? json : JsonCodec.object(mended);
    }
}
