package io.mcpbridge.upstream.introduction;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered to {@code server/discover}.
 *
 * @param isResult whether it is a result rather than an error
 * @param supported the revisions that it names, in its order; none where it is no answer of the modern era
 * @param members of the result
 * @param words what to tell of it
 */
record DiscoveryAnswer(boolean isResult, List<String> supported, Map<String, String> members, String words) {
    /**
     * Reads an answer.
     *
     * @throws io.mcpbridge.failure.BridgeException if it is no JSON object
     * @throws IllegalArgumentException if a text in it is none
     */
    static DiscoveryAnswer read(Response response) {
        if (!response.isError()) {
            var result = Json.rawMembers(response.raw(Part.RESULT).orElse("{}"));
            return new DiscoveryAnswer(
                    true, VersionRefusal.texts(result.get("supportedVersions")), result, "a result without versions");
        }
        var words = JsonRpcErrors.toFailure(response).message();
        return new DiscoveryAnswer(
                false,
                VersionRefusal.isOne(response) ? VersionRefusal.supported(response) : List.of(),
                Map.of(),
                words);
    }

    /** The newest modern revision that both speak. */
    Optional<ProtocolVersion> common() {
        return ProtocolVersion.KNOWN.stream()
                .filter(known -> known.era() == Era.MODERN && supported.contains(known.text()))
                .max(Comparator.comparing(ProtocolVersion::text));
    }

    /** Whether it speaks nothing but modern revisions that are not known here. */
    boolean isStrangelyModern() {
        return !supported.isEmpty()
                && supported.stream().allMatch(text -> new ProtocolVersion(text).era() == Era.MODERN);
    }

    /**
     * What the server says of itself.
     *
     * @throws io.mcpbridge.failure.BridgeException if a part of it is no JSON object that can be read
     */
    ServerProfile profile(ProtocolVersion version) {
        var meta = object(members.get("_meta"));
        var capabilities = members.getOrDefault("capabilities", "{}");
        object(capabilities).values().forEach(DiscoveryAnswer::object);
        var info = object(meta.getOrDefault(EnvelopeKeys.SERVER_INFO, members.get("serverInfo")));
        return new ServerProfile(
                version,
                text(info, "name"),
                text(info, "version"),
                capabilities.startsWith("{") ? capabilities : "{}",
                text(members, "instructions"));
    }

    private static Map<String, String> object(@Nullable String raw) {
        return raw != null && raw.startsWith("{") ? Json.rawMembers(raw) : Map.of();
    }

    private static String text(Map<String, String> members, String key) {
        var raw = members.getOrDefault(key, "\"\"");
        return raw.startsWith("\"") ? JsonText.decode(raw) : raw;
    }
}
