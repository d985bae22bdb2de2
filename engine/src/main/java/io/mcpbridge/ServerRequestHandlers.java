package io.mcpbridge;

import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.RootsHandler.ListRootsRequest;
import io.mcpbridge.RootsHandler.Root;
import io.mcpbridge.SamplingHandler.CreateMessageRequest;
import io.mcpbridge.message.Methods;
import io.mcpbridge.tool.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The handlers of a Java program for server requests, and the capabilities that they imply. Immutable. */
record ServerRequestHandlers(Map<String, Registered> byMethod) {

    static final ServerRequestHandlers NONE = new ServerRequestHandlers(Map.of());

    ServerRequestHandlers withElicitation(ElicitationHandler handler) {
        Objects.requireNonNull(handler);
        var urls = handler.acceptsUrls() ? ",\"url\":{}" : "";
        return with(
                Methods.ELICITATION_CREATE,
                "\"elicitation\":{\"form\":{}%s}".formatted(urls),
                (server, params) ->
                        handler.elicit(new ElicitRequest(server, params)).json());
    }

    ServerRequestHandlers withSampling(SamplingHandler handler) {
        Objects.requireNonNull(handler);
        return with(
                Methods.SAMPLING_CREATE_MESSAGE,
                "\"sampling\":{}",
                (server, params) -> handler.createMessage(new CreateMessageRequest(server, params))
                        .json());
    }

    ServerRequestHandlers withRoots(RootsHandler handler) {
        Objects.requireNonNull(handler);
        return with(Methods.ROOTS_LIST, "\"roots\":{}", (server, params) -> {
            var roots = handler.listRoots(new ListRootsRequest(server, params));
            return Json.of(Map.of("roots", roots.stream().map(Root::members).toList()));
        });
    }

    private ServerRequestHandlers with(String method, String capability, Answer answer) {
        var copy = new LinkedHashMap<>(byMethod);
        copy.put(method, new Registered(capability, answer));
        return new ServerRequestHandlers(copy);
    }

    /** Returns the capabilities to declare in canonical form, which is in the order of the method names. */
    String capabilities() {
        return new TreeMap<>(byMethod)
                .values().stream().map(Registered::capability).collect(Collectors.joining(",", "{", "}"));
    }

    /** The handler for requests of this method. */
    Optional<Answer> find(String method) {
        return Optional.ofNullable(byMethod.get(method)).map(Registered::answer);
    }

    /** A handler in the form that all kinds of requests share. */
    interface Answer {
        Json answer(String server, Json params) throws Exception;
    }

    private record Registered(String capability, Answer answer) {}
}
