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
 * A server in the hands of a test. Any thread may use it.
 *
 * <p>What {@link #on} knows is answered at once; every other request waits until the test takes it with {@link
 * #awaitRequest} and answers it, or does not.
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

    /** Answers each request of this method with what {@code answer} makes of it. */
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

    /** Every message so far, answered or not, in order. */
    public List<Message> received() {
        return List.copyOf(received);
    }

    /** Waits for the next request that nothing answers; notifications and responses before it are skipped. */
    public Request awaitRequest() {
        return Eventually.get(() -> "a request; received so far: " + received, () -> next(Request.class));
    }

    /** Waits for the next notification; other messages before it are skipped. */
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

    /** Sends any message on the way on which {@code request} came. */
    public void reply(Request request, Message message) {
        var wire = wires.get(request);
        if (wire == null) {
            throw new IllegalArgumentException(request + " never came, or was answered by 'on'");
        }
        wire.send(message);
    }

    /** Sends a message on the way on which the last message came. */
    public void send(Message message) {
        latestWire().send(message);
    }

    /** Ends the connection on which the last message came. */
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
