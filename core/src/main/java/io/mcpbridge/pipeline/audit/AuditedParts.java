package io.mcpbridge.pipeline.audit;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditedCall;
import java.util.Set;

/** What the audit reads of a request. */
final class AuditedParts {
    private static final Set<String> FORWARDED =
            Set.of(Methods.TOOLS_CALL, Methods.RESOURCES_READ, Methods.PROMPTS_GET, Methods.COMPLETION_COMPLETE);

    private AuditedParts() {}

    /** Whether it is a request that a server answers; lists are the bridge's own, and pings are nobody's business. */
    static boolean areIn(Request request) {
        return FORWARDED.contains(request.method());
    }

    /** What the client says that it wants, where no server is known for it. */
    static AuditedCall named(Request request) {
        var name = request.text(Part.NAME).or(() -> request.text(Part.URI)).orElse("");
        return new AuditedCall(request.method(), "", name, "");
    }

    /** The raw JSON of the arguments. */
    static String arguments(Request request) {
        if (request.method().equals(Methods.COMPLETION_COMPLETE)) {
            return Json.rawMembers(request.raw(Part.PARAMS).orElse("{}")).getOrDefault("argument", "{}");
        }
        return request.raw(Part.ARGUMENTS).orElse("{}");
    }
}
