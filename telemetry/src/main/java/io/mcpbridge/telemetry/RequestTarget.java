package io.mcpbridge.telemetry;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.opentelemetry.api.common.Attributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The method and the tool or prompt of a request.
 *
 * @param method a method of the specification, else {@code _OTHER}
 * @param name the tool or prompt; empty if there is none
 */
record RequestTarget(String method, String name) {
    static RequestTarget of(Request request) {
        var method = Methods.isKnown(request.method()) ? request.method() : SemanticAttributes.OTHER;
        var isNamed = method.equals(Methods.TOOLS_CALL) || method.equals(Methods.PROMPTS_GET);
        return new RequestTarget(
                method, isNamed ? request.text(MessageField.NAME).orElse("") : "");
    }

    boolean isTool() {
        return method.equals(Methods.TOOLS_CALL);
    }

    /** The name of the span. */
    String spanName() {
        return name.isEmpty() ? method : method + " " + name;
    }

    /** The attributes for spans. */
    Attributes attributes() {
        var attributes = Attributes.builder().put(SemanticAttributes.METHOD, method);
        if (isTool()) {
            attributes.put(SemanticAttributes.OPERATION, SemanticAttributes.EXECUTE_TOOL);
        }
        if (!name.isEmpty()) {
            attributes.put(isTool() ? SemanticAttributes.TOOL : SemanticAttributes.PROMPT, name);
        }
        return attributes.build();
    }

    /** The same for metrics, whose names are bounded. */
    RequestTarget in(MetricNames names, boolean isListed) {
        return name.isEmpty() || isListed ? this : new RequestTarget(method, names.bounded(name));
    }

    /**
     * The names in metrics that no list has. Clients choose them, so all but the first ones are {@code _OTHER}. Any
     * thread.
     */
    static final class MetricNames {
        /** About as many series per method as a metric can have besides those of listed names. */
        static final int LIMIT = 200;

        private final Set<String> names = ConcurrentHashMap.newKeySet();

        /** The name, or {@code _OTHER} if the limit was reached before it came; threads at once may exceed the limit. */
        String bounded(String name) {
            var isKnown = names.contains(name) || (names.size() < LIMIT && names.add(name));
            return isKnown ? name : SemanticAttributes.OTHER;
        }
    }
}
