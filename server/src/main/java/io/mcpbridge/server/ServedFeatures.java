package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.Resource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

/** The tools, resources and prompts of a program. Answers the requests of its clients. Any thread. */
final class ServedFeatures {
    /** The code of the legacy era; the frontend of the modern era replaces it. */
    private static final int NOT_FOUND = -32002;

    private final ServerMode mode;
    private final SchemaCheckProvider checks;
    private final Registry<RegisteredTool> tools = new Registry<>("tool", RegisteredTool::json);
    private final Registry<RegisteredResource> resources =
            new Registry<>("resource", resource -> resource.definition().json().text());
    private final Registry<RegisteredPrompt> prompts =
            new Registry<>("prompt", prompt -> prompt.definition().json().text());

    ServedFeatures(ServerMode mode, SchemaCheckProvider checks) {
        this.mode = mode;
        this.checks = checks;
    }

    void add(String name, ToolConfig config, ToolHandler handler) {
        tools.add(name, RegisteredTool.of(name, config, handler, checks));
    }

    <A extends Record> void add(String name, ToolConfig config, Class<A> type, RecordHandler<A> handler) {
        tools.add(name, RegisteredTool.of(name, config, type, handler, checks));
    }

    /** Adds all methods of an object that are tools, or none if one of them is wrong. */
    void addMethods(Object object) {
        var methods = new LinkedHashMap<String, RegisteredTool>();
        for (var method : ToolMethod.of(object)) {
            var name = method.name();
            if (methods.put(name, RegisteredTool.of(method, checks)) != null
                    || tools.find(name).isPresent()) {
                throw tools.taken(name);
            }
        }
        methods.forEach(tools::add);
    }

    void add(Resource definition, ResourceHandler handler) {
        resources.add(definition.uri(), new RegisteredResource(definition, handler));
    }

    void add(Prompt definition, PromptHandler handler) {
        prompts.add(definition.name(), new RegisteredPrompt(definition, handler));
    }

    /** The schema of a tool. */
    Optional<String> schema(String tool) {
        return tools.find(tool).map(found -> found.config().inputSchema());
    }

    /** The names of the capabilities: tools, and what else is registered now and admitted by the mode. */
    List<String> offered() {
        var offered = new ArrayList<>(List.of("tools"));
        if (isOffered(resources)) {
            offered.add("resources");
        }
        if (isOffered(prompts)) {
            offered.add("prompts");
        }
        return offered;
    }

    private boolean isOffered(Registry<?> registry) {
        return mode != ServerMode.MINIMAL && !registry.features.isEmpty();
    }

    /** Answers requests without waiting, and refuses those for what is not offered. */
    Handler handler(ToolCallRunner.Resources parts) {
        return (call, reply) -> handle(new ServedRequest(call, reply), parts);
    }

    private void handle(ServedRequest request, ToolCallRunner.Resources parts) {
        var method = request.call().request().method();
        switch (isOffered(method) ? method : "") {
            case Methods.TOOLS_LIST -> request.list(tools.list(this::isAdmitted));
            case Methods.TOOLS_CALL -> callTool(request, parts);
            case Methods.RESOURCES_LIST -> request.list(resources.list(resource -> true));
            case Methods.RESOURCES_TEMPLATES_LIST -> request.list("{\"resourceTemplates\":[]}");
            case Methods.RESOURCES_READ -> readResource(request, parts.threads());
            case Methods.PROMPTS_LIST -> request.list(prompts.list(prompt -> true));
            case Methods.PROMPTS_GET -> getPrompt(request, parts.threads());
            default -> request.refuse(ErrorCode.METHOD_NOT_FOUND, "'%s' is not served here".formatted(method));
        }
    }

    private boolean isOffered(String method) {
        return method.startsWith("tools/") || isOffered(method.startsWith("prompts/") ? prompts : resources);
    }

    private boolean isAdmitted(RegisteredTool tool) {
        return mode.refuses(tool.config()).isEmpty();
    }

    private void callTool(ServedRequest request, ToolCallRunner.Resources parts) {
        var call = request.call();
        var name = call.request().text(MessageField.NAME);
        if (name.isEmpty()) {
            request.refuse(
                    ErrorCode.INVALID_PARAMS, "'tools/call' needs the name of the tool, a string, in 'params.name'");
            return;
        }
        tools.find(name.get())
                .ifPresentOrElse(
                        tool -> new ToolCallRunner(tool, mode, call, request.reply(), parts).begin(),
                        () -> refuseUnknown(name.get(), request, parts.audit()));
    }

    /** A call of a tool that does not exist is recorded as denied. */
    private static void refuseUnknown(String tool, ServedRequest request, AuditRecorder audit) {
        var failure = Failure.of(
                ErrorCode.INVALID_PARAMS, "unknown tool: '%s'; 'tools/list' names all tools".formatted(tool));
        audit.denied(request.call(), failure);
        request.reply().complete(Outcome.failed(failure));
    }

    private void readResource(ServedRequest request, Executor threads) {
        var uri = request.call().request().text(MessageField.URI);
        if (uri.isEmpty()) {
            request.refuse(
                    ErrorCode.INVALID_PARAMS,
                    "'resources/read' needs the URI of the resource, a string, in 'params.uri'");
            return;
        }
        resources
                .find(uri.get())
                .ifPresentOrElse(
                        resource -> request.run(
                                threads, () -> resource.read(request.call().caller())),
                        () -> request.reply().complete(notFound(request, uri.get())));
    }

    private static Outcome notFound(ServedRequest request, String uri) {
        var message = "unknown resource: '%s'; 'resources/list' names all resources".formatted(uri);
        var data = "{\"uri\":%s}".formatted(JsonStrings.quote(uri));
        return Outcome.answered(Response.error(request.call().request().id(), NOT_FOUND, message, data));
    }

    private void getPrompt(ServedRequest request, Executor threads) {
        var name = request.call().request().text(MessageField.NAME).orElse("");
        prompts.find(name)
                .ifPresentOrElse(
                        prompt -> request.run(threads, () -> prompt.get(request.call())),
                        () -> request.refuse(
                                ErrorCode.INVALID_PARAMS,
                                "unknown prompt: '%s'; 'prompts/list' names all prompts".formatted(name)));
    }

    /** The features of one kind, sorted by name or URI. */
    private static final class Registry<F> {
        private final String kind;
        private final Function<F, String> json;
        private final Map<String, F> features = new ConcurrentSkipListMap<>();

        /**
         * @param kind such as {@code tool}
         * @param json the element of the list
         */
        private Registry(String kind, Function<F, String> json) {
            this.kind = kind;
            this.json = json;
        }

        private void add(String key, F feature) {
            if (features.putIfAbsent(key, feature) != null) {
                throw taken(key);
            }
        }

        private IllegalStateException taken(String key) {
            return new IllegalStateException("%s already registered: %s".formatted(kind, key));
        }

        private Optional<F> find(String key) {
            return Optional.ofNullable(features.get(key));
        }

        /** The result of a request for the list. */
        private String list(Predicate<F> isListed) {
            return features.values().stream()
                    .filter(isListed)
                    .map(json)
                    .collect(joining(",", "{\"%ss\":[".formatted(kind), "]}"));
        }
    }

    /** A prompt of a server. */
    private record RegisteredPrompt(Prompt definition, PromptHandler handler) {

        /** The result of {@code prompts/get}. */
        String get(Call call) throws Exception {
            var given = call.request().raw(MessageField.ARGUMENTS).orElse("{}");
            var messages = handler.get(arguments(Json.parse(given)), call.caller()).stream()
                    .map(RegisteredPrompt::json)
                    .collect(joining(",", "{\"messages\":[", "]"));
            var description = definition
                    .description()
                    .map(text -> ",\"description\":" + JsonStrings.quote(text))
                    .orElse("");
            return messages + description + "}";
        }

        /** The arguments, which are strings. */
        private Map<String, String> arguments(Json given) {
            var arguments = new LinkedHashMap<String, String>();
            given.asMap().forEach((name, value) -> {
                if (!(value instanceof String text)) {
                    throw invalid("'%s' must be a string but is %s".formatted(name, JsonCodec.write(value)));
                }
                arguments.put(name, text);
            });
            for (var argument : definition.arguments()) {
                if (argument.isRequired() && !arguments.containsKey(argument.name())) {
                    throw invalid("'%s' is missing".formatted(argument.name()));
                }
            }
            return arguments;
        }

        private ProtocolException invalid(String mistake) {
            var message = "the arguments of the prompt '%s' are wrong: %s".formatted(definition.name(), mistake);
            return ProtocolException.malformed(ErrorCode.INVALID_PARAMS, message);
        }

        private static String json(Prompt.Message message) {
            return "{\"role\":%s,\"content\":%s}"
                    .formatted(
                            JsonStrings.quote(message.role()),
                            message.content().json().text());
        }
    }

    /** A resource of a server; it has a name. */
    private record RegisteredResource(Resource definition, ResourceHandler handler) {

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
                throw new IllegalArgumentException(
                        "the handler of '%s' must return a String or a byte[], but returned %s"
                                .formatted(definition.uri(), read));
            }
            return "{\"contents\":[" + JsonCodec.write(contents) + "]}";
        }
    }
}
