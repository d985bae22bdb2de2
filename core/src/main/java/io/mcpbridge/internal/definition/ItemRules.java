package io.mcpbridge.internal.definition;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.NumberText;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the protocol demands of a resource, a resource template or a prompt as servers list them, in either era. Looks at
 * what members are and not at what they say; many clients refuse a whole list for one of them. Pure.
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

    /** The member that it is asked for by. */
    public String key() {
        return key;
    }

    /**
     * What of it breaks the protocol.
     *
     * @return the first mistake in words; empty where there is none
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
     * The same in the words of the protocol: an optional member that is {@code null}, here or in a member that the protocol
     * describes, is left out. The text itself where there is nothing of the kind.
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
