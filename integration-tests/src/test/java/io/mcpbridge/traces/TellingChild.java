package io.mcpbridge.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A legacy server on standard streams whose tool {@code context} returns the {@code traceparent} that it received. */
final class TellingChild {

    private TellingChild() {}

    static List<String> command() {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TellingChild.class.getName());
    }

    /** A daemon with it as the server {@code telling}, which listens at a socket in {@code folder} and at some port. */
    static BridgeConfiguration configuration(Path folder) {
        return BridgeConfiguration.parse(json(folder), folder, Map.of());
    }

    static String json(Path folder) {
        var command = command();
        return "{\"mcpServers\": {\"telling\": {\"command\": %s, \"args\": [%s]}}, \"bridge\": {\"listen\": {\"unix\": {\"path\": %s}, \"http\": {\"port\": 0}}}}"
                .formatted(
                        JsonStrings.quote(command.get(0)),
                        command.stream().skip(1).map(JsonStrings::quote).collect(Collectors.joining(", ")),
                        JsonStrings.quote(folder.resolve("b.sock").toString()));
    }

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (Message.scan(line.getBytes(UTF_8), Limits.CLIENT) instanceof Request request) {
                System.out.println(answer(request).json());
            }
        }
    }

    private static Response answer(Request request) {
        return switch (request.method()) {
            case Methods.INITIALIZE ->
                result(
                        request,
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"telling\",\"version\":\"1\"}}");
            case Methods.TOOLS_LIST ->
                result(request, "{\"tools\":[{\"name\":\"context\",\"inputSchema\":{\"type\":\"object\"}}]}");
            case Methods.TOOLS_CALL ->
                result(request, "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(context(request)));
            default -> Response.error(request.id(), -32601, "Method not found");
        };
    }

    private static String context(Request request) {
        return JsonStrings.quote(request.metaText("traceparent").orElse("none"));
    }

    private static Response result(Request request, String json) {
        return Response.result(request.id(), json);
    }
}
