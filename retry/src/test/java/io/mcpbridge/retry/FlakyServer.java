package io.mcpbridge.retry;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with one tool, {@code work}, that fails each call as the test has planned and then works. */
final class FlakyServer implements Script {
    private static final int SILENCE = 0;

    private final String annotations;
    private final Queue<Integer> plan = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    /** With the annotations of its tool as JSON. */
    FlakyServer(String annotations) {
        this.annotations = annotations;
    }

    FlakyServer thenRefusing(int code) {
        plan.add(code);
        return this;
    }

    FlakyServer thenSilent() {
        return thenRefusing(SILENCE);
    }

    /** How often the tool was called. */
    int calls() {
        return calls.get();
    }

    @Override
    public void received(Message message, Wire wire) {
        if (message instanceof Request request) {
            switch (request.method()) {
                case Methods.INITIALIZE ->
                    wire.send(Response.result(
                            request.id(),
                            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"moody\",\"version\":\"1\"}}"));
                case Methods.TOOLS_LIST ->
                    wire.send(Response.result(
                            request.id(),
                            "{\"tools\":[{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":%s}]}"
                                    .formatted(annotations)));
                case Methods.TOOLS_CALL -> work(request, wire);
                default -> wire.send(Response.result(request.id(), "{}"));
            }
        }
    }

    private void work(Request request, Wire wire) {
        calls.incrementAndGet();
        var mood = plan.poll();
        if (mood == null) {
            wire.send(Response.result(request.id(), "{\"content\":[]}"));
        } else if (mood != SILENCE) {
            wire.send(Response.error(request.id(), mood, "no"));
        }
    }
}
