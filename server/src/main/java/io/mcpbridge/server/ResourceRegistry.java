package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.Resource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/** The registered resources, sorted by URI. Any thread. */
final class ResourceRegistry {
    /** The code of the legacy era; the frontend of the modern era replaces it. */
    private static final int NOT_FOUND = -32002;

    private final Map<String, RegisteredResource> resources = new ConcurrentSkipListMap<>();

    void add(Resource definition, ResourceHandler handler) {
        if (definition.name().isEmpty()) {
            throw new IllegalArgumentException("the resource '%s' needs a 'name'".formatted(definition.uri()));
        }
        if (resources.putIfAbsent(definition.uri(), new RegisteredResource(definition, handler)) != null) {
            throw new IllegalStateException("resource already registered: " + definition.uri());
        }
    }

    boolean isEmpty() {
        return resources.isEmpty();
    }

    /** Answers a request for resources; false if it is another one. Does not wait. */
    boolean handle(ServedRequest request, Executor threads) {
        switch (request.call().request().method()) {
            case Methods.RESOURCES_LIST -> request.list(list());
            case Methods.RESOURCES_TEMPLATES_LIST -> request.list("{\"resourceTemplates\":[]}");
            case Methods.RESOURCES_READ -> read(request, threads);
            default -> {
                return false;
            }
        }
        return true;
    }

    private String list() {
        return resources.values().stream()
                .map(resource -> resource.definition().json().text())
                .collect(joining(",", "{\"resources\":[", "]}"));
    }

    private void read(ServedRequest request, Executor threads) {
        var uri = request.call().request().text(MessageField.URI);
        if (uri.isEmpty()) {
            request.refuse(
                    ErrorCode.INVALID_PARAMS,
                    "'resources/read' needs the URI of the resource, a string, in 'params.uri'");
            return;
        }
        var resource = resources.get(uri.get());
        if (resource == null) {
            request.reply().done(notFound(request, uri.get()));
            return;
        }
        request.run(threads, () -> resource.read(request.call().caller()));
    }

    private static Outcome notFound(ServedRequest request, String uri) {
        var message = "unknown resource: '%s'; 'resources/list' names all resources".formatted(uri);
        var data = "{\"uri\":%s}".formatted(JsonStrings.quote(uri));
        return Outcome.answered(Response.error(request.call().request().id(), NOT_FOUND, message, data));
    }

    private record RegisteredResource(Resource definition, ResourceHandler handler) {

        /** The result of {@code resources/read}. */
        private String read(Caller caller) throws Exception {
            var read = handler.read(caller);
            var contents = new LinkedHashMap<String, Object>();
            contents.put("uri", definition.uri());
            definition.mimeType().ifPresent(type -> contents.put("mimeType", type));
            if (read instanceof byte[] bytes) {
                contents.put("blob", Base64.getEncoder().encodeToString(bytes));
            } else if (read instanceof String text) {
                contents.put("text", text);
            } else {
                throw new IllegalArgumentException(
                        "the handler of '%s' must return a String or a byte[], but returned %s"
                                .formatted(definition.uri(), read));
            }
            return "{\"contents\":[" + JsonCodec.write(contents) + "]}";
        }
    }
}
