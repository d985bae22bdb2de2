package io.mcpbridge.testkit.faulty;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The correct answers of the faulty server, in either era.
 *
 * <p>Its tools: {@code echo} returns {@code text}, {@code slow} takes {@code millis}, {@code count} counts its
 * executions for a {@code key} and returns the count, {@code crash} ends the server with the exit code {@code code}.
 * Any thread may use it.
 */
final class NormalResponder {
    private static final String READ_ONLY = "{\"readOnlyHint\":true}";
    private static final String ONCE = "{\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":false}";

    private final ExecutionCounter ledger;
    private final FaultyServerHandler.Host host;
    private final List<String> more = new CopyOnWriteArrayList<>();
    private volatile Era era;

    NormalResponder(Era era, ExecutionCounter ledger, FaultyServerHandler.Host host) {
        this.era = era;
        this.ledger = ledger;
        this.host = host;
    }

    Era era() {
        return era;
    }

    void speak(Era newEra) {
        era = newEra;
    }

    void add(String tool) {
        more.add(tool);
    }

    /**
     * Whether the request is the first one of a client in the current era: {@code initialize} or
     * {@code server/discover}.
     */
    boolean isOpening(Request request) {
        return request.method().equals(era == Era.LEGACY ? Methods.INITIALIZE : Methods.SERVER_DISCOVER);
    }

    Response answer(Request request) throws InterruptedException {
        if (isOpening(request)) {
            return result(request, opening(request));
        }
        return switch (request.method()) {
            case Methods.PING -> result(request, "");
            case Methods.TOOLS_LIST -> result(request, "\"tools\":[" + tools() + "]" + lasting());
            case Methods.TOOLS_CALL -> call(request);
            case Methods.INITIALIZE ->
                Response.error(
                        request.id(),
                        -32022,
                        "Unsupported protocol version",
                        "{\"supported\":[\"%s\"],\"requested\":\"\"}".formatted(ProtocolVersion.LATEST));
            default -> Response.error(request.id(), -32601, "Method not found: " + request.method());
        };
    }

    private String opening(Request request) {
        if (era == Era.MODERN) {
            return "\"supportedVersions\":[\"%s\"],\"capabilities\":{\"tools\":{}},%s"
                            .formatted(ProtocolVersion.LATEST, me())
                    + lasting();
        }
        return "\"protocolVersion\":%s,\"capabilities\":{\"tools\":{\"listChanged\":true}},%s"
                .formatted(JsonStrings.quote(version(request)), me());
    }

    private static String version(Request request) {
        var asked = arguments(request.raw(MessageField.PARAMS).orElse("{}")).get("protocolVersion");
        return asked instanceof String text ? text : ProtocolVersion.LATEST_LEGACY.text();
    }

    private static String me() {
        return "\"serverInfo\":{\"name\":\"faulty\",\"version\":\"1\"}";
    }

    private String lasting() {
        return era == Era.MODERN ? ",\"ttlMs\":0,\"cacheScope\":\"private\"" : "";
    }

    private String tools() {
        return Stream.concat(
                        Stream.of(
                                tool("echo", READ_ONLY),
                                tool("slow", READ_ONLY),
                                tool("count", ONCE),
                                tool("crash", ONCE)),
                        more.stream().map(name -> tool(name, READ_ONLY)))
                .collect(Collectors.joining(","));
    }

    private static String tool(String name, String hints) {
        return "{\"name\":%s,\"description\":\"faulty\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":%s}"
                .formatted(JsonStrings.quote(name), hints);
    }

    private Response call(Request request) throws InterruptedException {
        var name = request.text(MessageField.NAME).orElse("");
        var arguments = arguments(request.raw(MessageField.ARGUMENTS).orElse("{}"));
        switch (name) {
            case "slow" -> TimeUnit.MILLISECONDS.sleep(number(arguments, "millis", 1_000));
            case "crash" -> host.exit(number(arguments, "code", 1));
            case "count" -> {
                var key = String.valueOf(arguments.get("key"));
                return text(request, Integer.toString(ledger.executed(key)));
            }
            default -> {
                if (!name.equals("echo") && !more.contains(name)) {
                    return Response.error(request.id(), -32602, "Unknown tool: " + name);
                }
            }
        }
        return text(request, String.valueOf(arguments.getOrDefault("text", name)));
    }

    private Response text(Request request, String text) {
        return result(request, "\"content\":[{\"type\":\"text\",\"text\":%s}]".formatted(JsonStrings.quote(text)));
    }

    /** A result with these members. */
    Response result(Request request, String members) {
        var type = era == Era.MODERN ? "\"resultType\":\"complete\"" + (members.isEmpty() ? "" : ",") : "";
        return Response.result(request.id(), "{" + type + members + "}");
    }

    private static Map<String, @Nullable Object> arguments(String json) {
        return Json.parse(json).asMap();
    }

    private static int number(Map<String, @Nullable Object> arguments, String key, int usual) {
        return arguments.get(key) instanceof Number number ? number.intValue() : usual;
    }
}
