package io.mcpbridge.testkit;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * A server that a test controls. Any thread may use it.
 *
 * <p>Requests whose method was passed to {@link #on} are answered at once. The test takes every other request with
 * {@link #awaitRequest} and answers it, or does not.
 */
public final class ScriptedServer implements Script {
    private final Map<String, Function<Request, Message>> answers = new ConcurrentHashMap<>(
            Map.of(Methods.SERVER_DISCOVER, request -> Response.error(request.id(), -32601, "Method not found")));
    private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>();
    private final List<Message> received = new CopyOnWriteArrayList<>();
    private final Map<Message, Wire> wires = new ConcurrentHashMap<>();
    private final BlockingQueue<Wire> latest = new LinkedBlockingQueue<>();

    /** Answers each request of this method with a result. */
    public ScriptedServer on(String method, String resultJson) {
        return onRequest(method, request -> Response.result(request.id(), resultJson));
    }

    /** Answers each request of this method with the message that {@code answer} returns. */
    public ScriptedServer onRequest(String method, Function<Request, Message> answer) {
        answers.put(method, answer);
        return this;
    }

    @Override
    public void received(Message message, Wire wire) {
        received.add(message);
        latest.clear();
        latest.add(wire);
        var answer = message instanceof Request request ? answers.get(request.method()) : null;
        if (answer != null) {
            wire.send(answer.apply((Request) message));
            return;
        }
        wires.put(message, wire);
        waiting.add(message);
    }

    /** All messages so far, answered or not, in order. */
    public List<Message> received() {
        return List.copyOf(received);
    }

    /** Waits for the next request that is not answered at once; skips notifications and responses before it. */
    public Request awaitRequest() {
        return Eventually.get(() -> "a request; received so far: " + received, () -> next(Request.class));
    }

    /** Waits for the next notification; skips other messages before it. */
    public Notification awaitNotification() {
        return Eventually.get(() -> "a notification; received so far: " + received, () -> next(Notification.class));
    }

    /** Answers a request that {@link #awaitRequest} returned. */
    public void answer(Request request, String resultJson) {
        reply(request, Response.result(request.id(), resultJson));
    }

    /** Answers a request that {@link #awaitRequest} returned with an error. */
    public void refuse(Request request, int code, String message) {
        reply(request, Response.error(request.id(), code, message));
    }

    /** Sends any message on the connection of {@code request}. */
    public void reply(Request request, Message message) {
        var wire = wires.get(request);
        if (wire == null) {
            throw new IllegalArgumentException(request + " never came, or was answered by 'on'");
        }
        wire.send(message);
    }

    /** Sends a message on the connection of the last message. */
    public void send(Message message) {
        latestWire().send(message);
    }

    /** Closes the connection of the last message. */
    public void cut() {
        latestWire().cut();
    }

    private Wire latestWire() {
        return Eventually.get(() -> "a first message", () -> Optional.ofNullable(latest.peek()));
    }

    private <T extends Message> Optional<T> next(Class<T> kind) {
        for (var message = waiting.poll(); message != null; message = waiting.poll()) {
            if (kind.isInstance(message)) {
                return Optional.of(kind.cast(message));
            }
        }
        return Optional.empty();
    }
}
