package io.mcpbridge.downstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client said of itself, in {@code initialize} or with each request. None of it is proven.
 *
 * @param name its own name
 * @param version its own version
 * @param processId its process id, or the empty string
 * @param clientId the id that it goes by, or the empty string
 * @param protocols what it lists under {@code clientInfo.protocols}
 * @param agreed the revision that is spoken
 * @param capabilities what it can be asked, as in {@link io.mcpbridge.call.Caller#capabilities()}
 */
record ClientCard(
        String name,
        String version,
        String processId,
        String clientId,
        List<String> protocols,
        ProtocolVersion agreed,
        String capabilities) {

    /** A client that has not said anything of itself yet. */
    static final ClientCard SILENT = new ClientCard("", "", "", "", List.of(), ProtocolVersion.LATEST_LEGACY, "{}");

    /** What a client can be asked, and what it can say about that, in the order of the canonical form. */
    private static final Map<String, List<String>> ASKABLE = inOrder();

    /**
     * Reads the request.
     *
     * @throws ProtocolException if its params are not what {@code initialize} needs
     */
    static ClientCard read(Request initialize) {
        var params = members(initialize.raw(Part.PARAMS).orElse("{}"), "params");
        var info = members(params.getOrDefault("clientInfo", "{}"), "params.clientInfo");
        var meta = members(params.getOrDefault("_meta", "{}"), "params._meta");
        return new ClientCard(
                text(info, "name"),
                text(info, "version"),
                text(params, "processId"),
                text(meta, Caller.CLIENT_ID_KEY),
                protocols(info),
                agree(params),
                askable(members(params.getOrDefault("capabilities", "{}"), "params.capabilities")));
    }

    /**
     * Reads what a request of the modern era says of its client.
     *
     * @throws ProtocolException if it names something twice
     */
    static ClientCard ofEnvelope(ProtocolVersion version, String declared, String info, String clientId) {
        var said = Json.rawMembers(info);
        return new ClientCard(
                text(said, "name"),
                text(said, "version"),
                "",
                clientId,
                protocols(said),
                version,
                declared.equals("{}") ? "{}" : askable(Json.rawMembers(declared)));
    }

    private static ProtocolVersion agree(Map<String, String> params) {
        if (!params.containsKey("protocolVersion")) {
            return ProtocolVersion.V2024_11_05;
        }
        var asked = text(params, "protocolVersion");
        return ProtocolVersion.KNOWN.stream()
                .filter(known -> known.text().equals(asked) && known.era() == Era.LEGACY)
                .findFirst()
                .orElse(ProtocolVersion.LATEST_LEGACY);
    }

    /** Written anew from what the specification knows, since sessions of servers are kept by this text. */
    private static String askable(Map<String, String> capabilities) {
        var canonical = new StringJoiner(",", "{", "}");
        ASKABLE.forEach((key, details) -> {
            var raw = capabilities.getOrDefault(key, "");
            if (isObject(raw)) {
                canonical.add("\"" + key + "\":" + details(raw, details));
            }
        });
        return canonical.toString();
    }

    private static String details(String raw, List<String> known) {
        var said = Json.rawMembers(raw);
        return known.stream()
                .flatMap(key -> detail(key, said.getOrDefault(key, "")))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Stream<String> detail(String key, String raw) {
        if (key.equals("listChanged")) {
            return raw.equals("true") ? Stream.of("\"listChanged\":true") : Stream.empty();
        }
        return isObject(raw) ? Stream.of("\"" + key + "\":{}") : Stream.empty();
    }

    private static boolean isObject(String raw) {
        return raw.startsWith("{");
    }

    private static Map<String, List<String>> inOrder() {
        var askable = new LinkedHashMap<String, List<String>>();
        askable.put("elicitation", List.of("form", "url"));
        askable.put("roots", List.of("listChanged"));
        askable.put("sampling", List.of("context", "tools"));
        return Collections.unmodifiableMap(askable);
    }

    private static List<String> protocols(Map<String, String> info) {
        var raw = info.getOrDefault("protocols", "[]");
        return raw.startsWith("[")
                ? Json.rawElements(raw).stream().flatMap(ClientCard::word).toList()
                : List.of();
    }

    private static Stream<String> word(String raw) {
        return raw.startsWith("\"") ? Stream.of(JsonText.decode(raw)) : Stream.empty();
    }

    private static String text(Map<String, String> members, String key) {
        var raw = members.getOrDefault(key, "");
        return raw.startsWith("\"") ? JsonText.decode(raw) : raw;
    }

    private static Map<String, String> members(String raw, String what) {
        if (!raw.startsWith("{")) {
            throw ProtocolException.malformed(
                    ErrorCode.INVALID_PARAMS, "'initialize' needs '%s' to be an object".formatted(what));
        }
        return Json.rawMembers(raw);
    }
}
