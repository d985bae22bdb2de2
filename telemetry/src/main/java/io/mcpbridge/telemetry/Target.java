package io.mcpbridge.telemetry;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/**
 * What a request asks for, in words of which there is a bounded number.
 *
 * @param method one of the specification, else {@code _OTHER}
 * @param name the tool or prompt if it is listed, else {@code _OTHER}; empty where the method names none
 */
record Target(String method, String name) {

    static Target of(Request request, boolean isListed) {
        var method = Methods.isKnown(request.method()) ? request.method() : Keys.OTHER;
        var isNamed = method.equals(Methods.TOOLS_CALL) || method.equals(Methods.PROMPTS_GET);
        if (!isNamed) {
            return new Target(method, "");
        }
        return new Target(method, isListed ? request.text(Part.NAME).orElse(Keys.OTHER) : Keys.OTHER);
    }

    boolean isTool() {
        return method.equals(Methods.TOOLS_CALL);
    }

    /** The name of its spans. */
    String spanName() {
        return name.isEmpty() ? method : method + " " + name;
    }

    /** What belongs on spans and metrics alike. */
    Attributes attributes() {
        var attributes = Attributes.builder().put(Keys.METHOD, method);
        putName(attributes);
        return attributes.build();
    }

    private void putName(AttributesBuilder attributes) {
        if (isTool()) {
            attributes.put(Keys.TOOL, name).put(Keys.OPERATION, Keys.EXECUTE_TOOL);
        } else if (!name.isEmpty()) {
            attributes.put(Keys.PROMPT, name);
        }
    }
}
