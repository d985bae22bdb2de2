package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import io.mcpbridge.testkit.StreamPeer;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A small MCP server for all transports. Each tool returns the server's name and the arguments; {@code hang} waits for
 * the test, {@code steps} reports progress first, {@code big} returns 1 MiB, {@code sized} a message of the requested
 * number of bytes, {@code fail} an error, {@code pipe} waits for data in a named pipe, {@code ask} for an elicitation,
 * and {@code crash} ends the connection.
 */
final class ToolScript implements Script {
    static final int STEPS = 3;
    private static final int PAGE = 2;
    private static final String FORM =
            "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"who\":{\"type\":\"string\"}}}}";
    private static final String BIG =
            "{\"content\":[],\"structuredContent\":{\"text\":\"" + "x".repeat(1 << 20) + "\"}}";

    private final String name;
    private volatile List<String> tools;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> hanging = new ConcurrentLinkedQueue<>();
    private final AtomicInteger handshakes = new AtomicInteger();
    private volatile boolean isShy;
    private volatile String instructions = "";

    ToolScript(String name, String... tools) {
        this.name = name;
        this.tools = List.of(tools);
    }

    /** Serves over standard input and output: the server's name and its tools are the arguments. */
    public static void main(String[] arguments) {
        var tools = List.of(arguments).subList(1, arguments.length).toArray(new String[0]);
        new StreamPeer(System.in, System.out, () -> Runtime.getRuntime().halt(7))
                .run(new ToolScript(arguments[0], tools));
    }

    /** Lets every handshake wait until {@link #answerOne}. */
    ToolScript holdingHandshakes() {
        isShy = true;
        return this;
    }

    /** Says this in its handshakes, raw JSON. */
    ToolScript instructing(String newInstructions) {
        instructions = ",\"instructions\":" + newInstructions;
        return this;
    }

    void tools(String... newTools) {
        tools = List.of(newTools);
    }

    /** The tools that were called, in order. */
    List<String> calls() {
        return calls;
    }

    /** The ids that were cancelled. */
    List<String> cancelled() {
        return cancelled;
    }

    int handshakes() {
        return handshakes.get();
    }

    int hanging() {
        return hanging.size();
    }

    /** Answers the oldest request that hangs; false if there is none. */
    boolean answerOne() {
        var answer = hanging.poll();
        if (answer == null) {
            return false;
        }
        answer.run();
        return true;
    }

    /** Answers every request that hangs. */
    void answerAll() {
        for (var answered = answerOne(); answered; ) {
            answered = answerOne();
        }
    }

    @Override
    public void received(Message message, Wire wire) {
        if (message instanceof Request request) {
            answer(request, wire);
        } else if (message instanceof Response) {
            answerOne();
        } else if (message instanceof Notification note && note.method().equals(Methods.CANCELLED)) {
            note.raw(MessageField.CANCELLED_ID).ifPresent(cancelled::add);
        }
    }

    private void answer(Request request, Wire wire) {
        switch (request.method()) {
            case Methods.INITIALIZE -> initialize(request, wire);
            case Methods.TOOLS_LIST -> wire.send(Response.result(request.id(), page(request)));
            case Methods.TOOLS_CALL -> call(request, wire);
            default -> wire.send(Response.result(request.id(), "{}"));
        }
    }

    private void initialize(Request request, Wire wire) {
        handshakes.incrementAndGet();
        var result =
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":%s,\"version\":\"1\",\"title\":\"A server\"}%s}"
                        .formatted(JsonStrings.quote(name), instructions);
        if (isShy) {
            hanging.add(() -> wire.send(Response.result(request.id(), result)));
        } else {
            wire.send(Response.result(request.id(), result));
        }
    }

    private String page(Request request) {
        var from = request.text(MessageField.CURSOR).map(Integer::parseInt).orElse(0);
        var listed = new ArrayList<>(tools);
        var to = Math.min(from + PAGE, listed.size());
        var page = listed.subList(from, to).stream()
                .map(tool -> "{\"name\":%s,\"inputSchema\":{\"type\":\"object\"}}".formatted(JsonStrings.quote(tool)))
                .collect(Collectors.joining(",", "{\"tools\":[", "]"));
        return to < listed.size() ? page + ",\"nextCursor\":\"" + to + "\"}" : page + "}";
    }

    private void call(Request request, Wire wire) {
        var tool = request.text(MessageField.NAME).orElse("");
        calls.add(tool);
        var arguments = request.raw(MessageField.ARGUMENTS).orElse("{}");
        var result = "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s}"
                .formatted(JsonStrings.quote(name), arguments);
        switch (tool) {
            case "hang" -> hanging.add(() -> wire.send(Response.result(request.id(), result)));
            case "ask" -> {
                hanging.add(() -> wire.send(Response.result(request.id(), result)));
                wire.send(Request.of(MessageId.of("question"), Methods.ELICITATION_CREATE, FORM));
            }
            case "big" -> wire.send(Response.result(request.id(), BIG));
            case "sized" -> wire.send(sized(request, Integer.parseInt(arguments.replaceAll("\\D", ""))));
            case "pipe" -> {
                awaitWriter(Path.of(String.valueOf(Json.parse(arguments).asMap().get("pipe"))));
                wire.send(Response.result(request.id(), result));
            }
            case "crash" -> wire.cut();
            case "fail" -> wire.send(Response.error(request.id(), -32050, "refused by " + name, arguments));
            case "steps" -> {
                request.raw(MessageField.PROGRESS_TOKEN).ifPresent(token -> steps(token, wire));
                wire.send(Response.result(request.id(), result));
            }
            default -> wire.send(Response.result(request.id(), result));
        }
    }

    private static void awaitWriter(Path pipe) {
        try {
            var unused = Files.readString(pipe);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Response sized(Request request, int bytes) {
        var result = "{\"content\":[],\"structuredContent\":{\"text\":\"%s\"}}";
        var empty = Response.result(request.id(), result.formatted("")).length();
        return Response.result(request.id(), result.formatted("x".repeat(bytes - empty)));
    }

    private static void steps(String token, Wire wire) {
        for (int i = 1; i <= STEPS; i++) {
            wire.send(Notification.of(
                    Methods.PROGRESS,
                    "{\"progressToken\":%s,\"progress\":%d,\"total\":%d}".formatted(token, i, STEPS)));
        }
    }
}
