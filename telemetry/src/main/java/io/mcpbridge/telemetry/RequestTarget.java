package io.mcpbridge.telemetry;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.opentelemetry.api.common.Attributes;

/**
 * The method and the tool or prompt of a request, as attributes of low cardinality.
 *
 * @param method a method of the specification, else {@code _OTHER}
 * @param name the tool or prompt if it is listed, else {@code _OTHER}; empty if the method has none
 */
record RequestTarget(String method, String name) {

    static RequestTarget of(Request request, boolean isListed) {
        var method = Methods.isKnown(request.method()) ? request.method() : SemanticAttributes.OTHER;
        var isNamed = method.equals(Methods.TOOLS_CALL) || method.equals(Methods.PROMPTS_GET);
        if (!isNamed) {
            return new RequestTarget(method, "");
        }
        return new RequestTarget(
                method,
                isListed ? request.text(MessageField.NAME).orElse(SemanticAttributes.OTHER) : SemanticAttributes.OTHER);
    }

    boolean isTool() {
        return method.equals(Methods.TOOLS_CALL);
    }

    /** The name of the span. */
    String spanName() {
        return name.isEmpty() ? method : method + " " + name;
    }

    /** The attributes for spans and metrics. */
    Attributes attributes() {
        var attributes = Attributes.builder().put(SemanticAttributes.METHOD, method);
        if (isTool()) {
            attributes
                    .put(SemanticAttributes.TOOL, name)
                    .put(SemanticAttributes.OPERATION, SemanticAttributes.EXECUTE_TOOL);
        } else if (!name.isEmpty()) {
            attributes.put(SemanticAttributes.PROMPT, name);
        }
        return attributes.build();
    }
}
