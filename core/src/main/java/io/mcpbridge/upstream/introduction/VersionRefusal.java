package io.mcpbridge.upstream.introduction;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The error by which a server says that it does not speak the version of a request. */
public final class VersionRefusal {
    private static final String UNSUPPORTED_VERSION = "-32022";

    private VersionRefusal() {}

    /** Whether an error says that the version of the request is not spoken, as only modern servers do. */
    public static boolean isOne(Response response) {
        return response.raw(Part.ERROR_CODE).filter(UNSUPPORTED_VERSION::equals).isPresent();
    }

    /**
     * Whether a server that began with a handshake wants to be spoken with in a modern revision from now on. The code
     * alone does not say so: such a server may use it for something else.
     */
    public static boolean asksForModern(Response response) {
        try {
            return isOne(response)
                    && supported(response).stream()
                            .anyMatch(text -> ProtocolVersion.KNOWN.contains(new ProtocolVersion(text))
                                    && new ProtocolVersion(text).era() == Era.MODERN);
        } catch (BridgeException | IllegalArgumentException unreadable) {
            return false;
        }
    }

    /** The revisions that the server says it speaks, in its order. */
    static List<String> supported(Response refusal) {
        var data =
                refusal.raw(Part.ERROR_DATA).filter(raw -> raw.startsWith("{")).orElse("{}");
        return texts(Json.rawMembers(data).get("supported"));
    }

    /** The texts in an array that names revisions, or none where it is no array. */
    static List<String> texts(@Nullable String raw) {
        if (raw == null || !raw.startsWith("[")) {
            return List.of();
        }
        return Json.rawElements(raw).stream()
                .filter(element -> element.startsWith("\"") && element.length() > 2)
                .map(JsonText::decode)
                .filter(text -> !text.isBlank())
                .toList();
    }
}
