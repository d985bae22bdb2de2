package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * A server with a hundred tools of about one KiB, on one connection. Each call changes the description of the first
 * tool and sends {@code list_changed}. Not thread-safe.
 */
final class ManyTools {
    static final int TOOLS = 100;

    private static final String INITIALIZED =
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}},"
                    + "\"serverInfo\":{\"name\":\"many\",\"version\":\"1\"}}";
    private static final String DESCRIPTION =
            "Looks up what is known of an order by its number, and returns it. ".repeat(7);

    private final SocketChannel channel;
    private int changes;

    private ManyTools(SocketChannel channel) {
        this.channel = channel;
    }

    static void serve(SocketChannel channel) throws IOException {
        Peer.serve(channel, new ManyTools(channel)::answer);
    }

    private void answer(Message message) {
        if (!(message instanceof Request request)) {
            return;
        }
        if (request.method().equals(Methods.TOOLS_CALL)) {
            changes++;
            Peer.send(channel, Notification.of(Methods.TOOLS_LIST_CHANGED, "{}"));
        }
        Peer.send(channel, Response.result(request.id(), result(request)));
    }

    private String result(Request request) {
        return switch (request.method()) {
            case Methods.INITIALIZE -> INITIALIZED;
            case Methods.TOOLS_LIST -> list();
            default -> "{\"content\":[]}";
        };
    }

    private String list() {
        var list = new StringBuilder("{\"tools\":[");
        for (int i = 0; i < TOOLS; i++) {
            var words = i == 0 ? "Changed %d times. ".formatted(changes) : "Tool number%d. ".formatted(i);
            list.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"tool_%02d\",\"description\":%s,"
                            .formatted(i, JsonStrings.quote(words + DESCRIPTION)))
                    .append("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"order\":{\"type\":\"string\","
                            + "\"description\":\"The number of the order.\",\"pattern\":\"^[0-9]{8}$\"},"
                            + "\"fields\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":20},"
                            + "\"verbose\":{\"type\":\"boolean\",\"default\":false}},\"required\":[\"order\"]}}");
        }
        return list.append("]}").toString();
    }
}
