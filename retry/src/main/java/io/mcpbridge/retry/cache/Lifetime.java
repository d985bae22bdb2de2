package io.mcpbridge.retry.cache;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.math.BigDecimal;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How long an answer holds, and what ends it earlier. */
final class Lifetime {
    private static final BigDecimal LONGEST = BigDecimal.valueOf(TimeUnit.HOURS.toMillis(24));

    private static final Set<String> OF_TOOLS = Set.of(Methods.TOOLS_LIST, Methods.TOOLS_CALL);
    private static final Set<String> OF_PROMPTS = Set.of(Methods.PROMPTS_LIST);
    private static final Set<String> OF_RESOURCES =
            Set.of(Methods.RESOURCES_LIST, Methods.RESOURCES_TEMPLATES_LIST, Methods.RESOURCES_READ);

    private Lifetime() {}

    /** What the server says, nothing where it does not or says something odd. */
    static long millis(Response response) {
        return response.raw(Part.TTL_MS)
                .flatMap(NumberText::read)
                .map(said -> said.max(BigDecimal.ZERO).min(LONGEST).longValue())
                .orElse(0L);
    }

    /** The same answer, telling whoever keeps it too how long it holds from now on. */
    static Response withRest(Response response, long nanos) {
        if (!response.has(Part.TTL_MS)) {
            return response;
        }
        var millis = Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos));
        return (Response) response.splice().replace(Part.TTL_MS, millis).done();
    }

    /** Whether an answer to {@code method} may be wrong after a change; the empty one may have changed everything. */
    static boolean isEndedBy(String change, String method) {
        return switch (change) {
            case "" -> true;
            case Methods.TOOLS_LIST_CHANGED -> OF_TOOLS.contains(method);
            case Methods.PROMPTS_LIST_CHANGED -> OF_PROMPTS.contains(method);
            case Methods.RESOURCES_LIST_CHANGED -> OF_RESOURCES.contains(method);
            case Methods.RESOURCES_UPDATED -> method.equals(Methods.RESOURCES_READ);
            default -> false;
        };
    }
}
