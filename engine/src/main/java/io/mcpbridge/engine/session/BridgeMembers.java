package io.mcpbridge.engine.session;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The members that only a bridge writes: {@code bridge} in the data of an error, and the keys {@code io.mcpbridge/…} of
 * {@code _meta}. They do not pass from a server to a client, so a client knows that the bridge that it is connected to
 * wrote them. Stateless.
 */
final class BridgeMembers {
    private static final String BRIDGE = "bridge";
    private static final String SERVER_ERROR = "serverError";
    private static final String PREFIX = "io.mcpbridge/";

    private BridgeMembers() {}

    /**
     * Returns a message of a server without such members; the same object if it has none. In an error the member moves
     * into {@code serverError}, unless the server has one.
     */
    static <M extends Message> M remove(M ofServer) {
        var field = ofServer instanceof Response ? MessageField.RESULT_META : MessageField.META;
        var changed = ofServer.raw(MessageField.ERROR_DATA)
                .flatMap(BridgeMembers::movedClaim)
                .map(data -> ofServer.splice().replace(MessageField.ERROR_DATA, data))
                .or(() -> ofServer.raw(field)
                        .flatMap(BridgeMembers::withoutKeys)
                        .map(meta -> meta.equals("{}")
                                ? ofServer.splice().remove(field)
                                : ofServer.splice().replace(field, meta)));
        // A changed copy of a message has its type.
        @SuppressWarnings("unchecked")
        var copy = (Optional<M>) changed.map(splice -> splice.done());
        return copy.orElse(ofServer);
    }

    /** Returns the data of an error without the claim to be of a bridge; empty if there is none. */
    private static Optional<String> movedClaim(String data) {
        if (!data.startsWith("{") || !mayHave(data, BRIDGE)) {
            return Optional.empty();
        }
        Map<String, String> members;
        try {
            members = new LinkedHashMap<>(JsonCodec.rawMembers(data));
        } catch (ProtocolException duplicateKey) {
            return Optional.of("{\"%s\":%s}".formatted(SERVER_ERROR, data));
        }
        var claim = members.remove(BRIDGE);
        if (claim == null) {
            return Optional.empty();
        }
        members.putIfAbsent(SERVER_ERROR, "{\"%s\":%s}".formatted(BRIDGE, claim));
        return Optional.of(JsonCodec.object(members));
    }

    /** Returns {@code _meta} without the keys of the bridge; empty if it has none. */
    private static Optional<String> withoutKeys(String meta) {
        if (!mayHave(meta, PREFIX)) {
            return Optional.empty();
        }
        var members = new LinkedHashMap<>(JsonCodec.rawMembers(meta));
        return members.keySet().removeIf(key -> key.startsWith(PREFIX))
                ? Optional.of(JsonCodec.object(members))
                : Optional.empty();
    }

    /** Whether a key may occur; it may also be written with escapes. */
    private static boolean mayHave(String json, String key) {
        return json.contains(key) || json.indexOf('\\') >= 0;
    }
}
