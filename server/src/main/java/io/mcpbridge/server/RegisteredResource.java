package io.mcpbridge.server;

import io.mcpbridge.call.Caller;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.tool.Resource;
import java.util.Base64;
import java.util.LinkedHashMap;

/** A resource of a server; it has a name. */
record RegisteredResource(Resource definition, ResourceHandler handler) {

    RegisteredResource {
        if (definition.name().isEmpty()) {
            throw new IllegalArgumentException("the resource '%s' needs a 'name'".formatted(definition.uri()));
        }
    }

    /** The result of {@code resources/read}. */
    String read(Caller caller) throws Exception {
        var read = handler.read(caller);
        var contents = new LinkedHashMap<String, Object>();
        contents.put("uri", definition.uri());
        definition.mimeType().ifPresent(type -> contents.put("mimeType", type));
        if (read instanceof byte[] bytes) {
            contents.put("blob", Base64.getEncoder().encodeToString(bytes));
        } else if (read instanceof String text) {
            contents.put("text", text);
        } else {
            throw new IllegalArgumentException("the handler of '%s' must return a String or a byte[], but returned %s"
                    .formatted(definition.uri(), read));
        }
        return "{\"contents\":[" + JsonCodec.write(contents) + "]}";
    }
}
