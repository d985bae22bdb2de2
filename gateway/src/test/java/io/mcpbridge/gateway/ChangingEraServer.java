package io.mcpbridge.gateway;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import io.mcpbridge.testkit.StreamPeer;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that speaks the other era after each restart. Its tool {@code book} asks the user first, and then returns the
 * era; {@code crash} ends the process.
 */
final class ChangingEraServer implements Script {
    private static final String FORM = "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\"}}";
    private static final String NEEDS_INPUT =
            "{\"resultType\":\"input_required\",\"inputRequests\":{\"who\":{\"method\":\"elicitation/create\","
                    + "\"params\":" + FORM + "}},\"requestState\":\"s\"}";
    private static final String TOOLS = "\"tools\":[{\"name\":\"book\",\"inputSchema\":{\"type\":\"object\"}},"
            + "{\"name\":\"crash\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private final boolean isModern;
    private final Map<MessageId, MessageId> asked = new ConcurrentHashMap<>();

    private ChangingEraServer(boolean isModern) {
        this.isModern = isModern;
    }

    /** Serves over standard input and output; the argument is a folder that counts the starts. */
    public static void main(String[] arguments) throws IOException {
        var isModern = startsBefore(Path.of(arguments[0])) % 2 == 1;
        new StreamPeer(System.in, System.out, () -> Runtime.getRuntime().halt(7)).run(new ChangingEraServer(isModern));
    }

    private static int startsBefore(Path folder) throws IOException {
        for (int number = 0; ; number++) {
            try {
                Files.createFile(folder.resolve("start-" + number));
                return number;
            } catch (FileAlreadyExistsException another) {
                // Another process has this number.
            }
        }
    }

    @Override
    public void received(Message message, Wire wire) {
        if (message instanceof Request request) {
            var foreign = isModern ? Methods.INITIALIZE : Methods.SERVER_DISCOVER;
            if (request.method().equals(foreign)) {
                wire.send(Response.error(request.id(), -32601, "Method not found"));
            } else if (request.method().equals(Methods.TOOLS_CALL)) {
                call(request, wire);
            } else {
                wire.send(Response.result(request.id(), result(request.method())));
            }
        } else if (message instanceof Response answer && answer.id().isPresent()) {
            Optional.ofNullable(asked.remove(answer.id().get()))
                    .ifPresent(call -> wire.send(Response.result(call, booked())));
        }
    }

    private void call(Request request, Wire wire) {
        if (request.text(MessageField.NAME).filter("crash"::equals).isPresent()) {
            wire.cut();
        } else if (!isModern) {
            var question = MessageId.of("question-" + request.id().raw());
            asked.put(question, request.id());
            wire.send(Request.of(question, Methods.ELICITATION_CREATE, FORM));
        } else if (request.has(MessageField.INPUT_RESPONSES)) {
            wire.send(Response.result(request.id(), booked()));
        } else {
            wire.send(Response.result(request.id(), NEEDS_INPUT));
        }
    }

    private String result(String method) {
        var begin = isModern ? "{\"resultType\":\"complete\",\"ttlMs\":60000,\"cacheScope\":\"public\"," : "{";
        return switch (method) {
            case Methods.INITIALIZE ->
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"changing\",\"version\":\"1\"}}";
            case Methods.SERVER_DISCOVER ->
                "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}";
            case Methods.TOOLS_LIST -> begin + TOOLS;
            default -> begin + "\"_meta\":{}}";
        };
    }

    private String booked() {
        var begin = isModern ? "{\"resultType\":\"complete\"," : "{";
        return begin
                + "\"content\":[{\"type\":\"text\",\"text\":\"booked %s\"}]}".formatted(isModern ? "modern" : "legacy");
    }
}
