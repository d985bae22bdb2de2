package io.mcpbridge.translate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.internal.json.JsonNode;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tells whether two requests ask the same, whatever round they belong to and however they are written. */
public final class RequestDigest {
    private static final Set<String> DIFFER = Set.of("_meta", "requestState", "inputResponses");

    private RequestDigest() {}

    /** The same text for the same method and the same params, but for what differs from round to round. */
    public static String of(Request request) {
        var text = request.method() + " " + params(request);
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(UTF_8)));
    }

    private static String params(Request request) {
        try {
            var params = request.raw(Part.PARAMS).orElse("{}");
            return params.startsWith("{") ? canonicalParams(params) : params;
        } catch (ProtocolException odd) {
            // Such as keys that stand twice: the server may read it somehow, here it is only compared.
            return asWritten(request);
        }
    }

    private static String asWritten(Request request) {
        return request.splice()
                .remove(Part.META)
                .remove(Part.REQUEST_STATE)
                .remove(Part.INPUT_RESPONSES)
                .done()
                .raw(Part.PARAMS)
                .orElse("{}");
    }

    private static String canonicalParams(String params) {
        var members = new TreeMap<>(Json.rawMembers(params));
        members.keySet().removeAll(DIFFER);
        return members.entrySet().stream()
                .map(member -> JsonText.quote(member.getKey()) + ":" + canonical(Json.read(member.getValue())))
                .collect(Collectors.joining(","));
    }

    private static String canonical(JsonNode node) {
        var value = node.value();
        if (value instanceof Map<?, ?>) {
            return new TreeMap<>(node.members())
                    .entrySet().stream()
                            .map(member -> JsonText.quote(member.getKey()) + ":" + canonical(member.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?>) {
            return node.elements().stream().map(RequestDigest::canonical).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof String text) {
            return JsonText.quote(text);
        }
        return value instanceof BigDecimal number ? number.stripTrailingZeros().toString() : String.valueOf(value);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java runtime has no SHA-256, which every one must have", missing);
        }
    }
}
