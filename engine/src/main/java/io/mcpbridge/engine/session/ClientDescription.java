package io.mcpbridge.engine.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The self-description of a client, from {@code initialize} or from each modern request. Nothing in it is verified.
 *
 * @param agreed the negotiated revision
 * @param info its {@code clientInfo} as raw JSON
 * @param declared its declared capabilities as raw JSON
 * @param processId the process id that it stated, or the empty string
 * @param clientId its client id, or the empty string
 * @param name its own name, from {@code info}
 * @param version its own version, from {@code info}
 * @param protocols the {@code protocols} in {@code info}
 * @param capabilities its capabilities for server requests, as in {@link Caller#capabilities()}
 */
public record ClientDescription(
        ProtocolVersion agreed,
        String info,
        String declared,
        String processId,
        String clientId,
        String name,
        String version,
        List<String> protocols,
        String capabilities) {

    /** The capabilities for server requests and their members; sorted, as in the canonical form. */
    private static final Map<String, List<String>> ASKABLE = Collections.unmodifiableMap(new TreeMap<>(Map.of(
            "elicitation", List.of("form", "url"),
            "roots", List.of("listChanged"),
            "sampling", List.of("context", "tools"))));

    /** The card of a client before its first request. */
    static final ClientDescription SILENT = of(ProtocolVersion.LATEST_LEGACY, "{}", "{}", "", "");

    /**
     * Reads {@code initialize}.
     *
     * @throws ProtocolException if its params are invalid
     */
    static ClientDescription read(Request initialize) {
        var params = members(initialize.raw(MessageField.PARAMS).orElse("{}"), "params");
        var meta = members(params.getOrDefault("_meta", "{}"), "params._meta");
        return of(
                agree(params),
                object(params, "clientInfo"),
                object(params, "capabilities"),
                text(params, "processId"),
                text(meta, Caller.CLIENT_ID_KEY));
    }

    /**
     * Reads a request of the modern era that {@link ModernRequestCheck} has passed.
     *
     * @throws ProtocolException if its {@code _meta} has a duplicate key
     */
    static ClientDescription ofEnvelope(Request request) {
        return of(new ProtocolVersion(claim(request)), info(request), declared(request), "", clientId(request));
    }

    /** Returns the card of a call's caller. */
    static ClientDescription of(Caller caller) {
        return of(caller.version(), caller.info(), caller.declared(), "", caller.clientId());
    }

    private static ClientDescription of(
            ProtocolVersion agreed, String info, String declared, String processId, String clientId) {
        var said = JsonCodec.rawMembers(info);
        return new ClientDescription(
                agreed,
                info,
                declared,
                processId,
                clientId,
                text(said, "name"),
                text(said, "version"),
                protocols(said),
                canonical(declared));
    }

    /**
     * Returns the capabilities for server requests in canonical form. This text identifies server sessions, so it has
     * only capabilities of the specification.
     */
    private static String canonical(String declared) {
        if (declared.equals("{}")) {
            return declared;
        }
        var capabilities = JsonCodec.rawMembers(declared);
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
        var members = JsonCodec.rawMembers(raw);
        return known.stream()
                .flatMap(key -> detail(key, members.getOrDefault(key, "")))
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

    /** Whether a modern request has this description. */
    boolean isIn(Request request) {
        return agreed.text().equals(claim(request))
                && declared.equals(declared(request))
                && info.equals(info(request))
                && clientId.equals(clientId(request));
    }

    /** Whether its {@code initialize} has a member that only clients of the daemon's own protocol {@code mcp/1.0} send. */
    boolean knowsMessageRouting() {
        return !processId.isEmpty() || !protocols.isEmpty();
    }

    /** Whether it can answer a server's request of this method. */
    boolean canBeAsked(String method) {
        var capability = switch (method) {
            case Methods.SAMPLING_CREATE_MESSAGE -> "\"sampling\":";
            case Methods.ELICITATION_CREATE -> "\"elicitation\":";
            case Methods.ROOTS_LIST -> "\"roots\":";
            default -> "";
        };
        return !capability.isEmpty() && capabilities.contains(capability);
    }

    /** A caller without its principal and session. */
    Caller caller() {
        return Caller.ANONYMOUS
                .withClientId(clientId)
                .withDeclaration(new Caller.Declaration(agreed, capabilities, declared, info));
    }

    private static String claim(Request request) {
        return request.text(MessageField.PROTOCOL_VERSION).orElse("");
    }

    private static String declared(Request request) {
        return request.raw(MessageField.CLIENT_CAPABILITIES).orElse("{}");
    }

    private static String info(Request request) {
        return request.raw(MessageField.CLIENT_INFO).orElse("{}");
    }

    private static String clientId(Request request) {
        return request.text(MessageField.CLIENT_ID).orElse("");
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

    private static List<String> protocols(Map<String, String> info) {
        var raw = info.getOrDefault("protocols", "[]");
        return raw.startsWith("[")
                ? JsonCodec.rawElements(raw).stream()
                        .flatMap(each -> JsonCodec.text(each).stream())
                        .toList()
                : List.of();
    }

    private static String text(Map<String, String> members, String key) {
        var raw = members.getOrDefault(key, "");
        return raw.startsWith("\"") ? JsonStrings.decode(raw) : raw;
    }

    private static String object(Map<String, String> params, String key) {
        var raw = params.getOrDefault(key, "{}");
        members(raw, "params." + key);
        return raw;
    }

    private static Map<String, String> members(String raw, String what) {
        if (!raw.startsWith("{")) {
            throw ProtocolException.malformed(
                    ErrorCode.INVALID_PARAMS, "'initialize' needs '%s' to be an object".formatted(what));
        }
        return JsonCodec.rawMembers(raw);
    }
}
