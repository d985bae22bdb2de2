package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.message.JsonStrings;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A server that its caller starts as a child process.
 *
 * @param command the program and its arguments
 */
public record ChildServer(List<String> command) implements PeerServer {

    public ChildServer {
        command = List.copyOf(command);
    }

    @Override
    public String section() {
        var args = command.stream().skip(1).map(ChildServer::quoted).collect(Collectors.joining(", "));
        var env = Mark.environment().entrySet().stream()
                .map(entry -> quoted(entry.getKey()) + ": " + quoted(entry.getValue()))
                .collect(Collectors.joining(", "));
        return "{\"command\": %s, \"args\": [%s], \"env\": {%s}}".formatted(quoted(command.get(0)), args, env);
    }

    private static String quoted(String value) {
        return JsonStrings.quote(value);
    }

    @Override
    public Connection connect(ConnectionOptions options) throws InterruptedException {
        return Connection.toCommand(command, options.with("env", Map.copyOf(Mark.environment())));
    }

    @Override
    public void close() {}
}
