package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A client on a Unix socket that records everything it receives. */
final class LineClient implements Closeable {
    private final SocketChannel channel;
    private final AtomicLong lastId = new AtomicLong(-1);
    private final Map<MessageId, Response> answers = new ConcurrentHashMap<>();
    private final List<Message> others = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;
    private volatile boolean isPolite;
    private volatile boolean isAccepting;

    private LineClient(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects without reading anything until {@link #listen}. */
    static LineClient connect(URI address) throws IOException {
        return new LineClient(SocketChannel.open(UnixDomainSocketAddress.of(Path.of(address.getPath()))));
    }

    /** Connects and does the handshake. */
    static LineClient initialized(URI address, String name) throws IOException {
        var client = connect(address);
        client.listen();
        client.handshake(name);
        return client;
    }

    LineClient listen() {
        var thread = new Thread(this::read, "test-client");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** Answers pings from now on. */
    LineClient polite() {
        isPolite = true;
        return this;
    }

    /** Accepts each elicitation from now on. */
    LineClient accepting() {
        isAccepting = true;
        return this;
    }

    /** Closes the output and continues to read. */
    void halfClose() throws IOException {
        channel.shutdownOutput();
    }

    void handshake(String name) {
        var params =
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":%s,\"version\":\"1\"}}";
        var id = request(Methods.INITIALIZE, params.formatted(JsonStrings.quote(name)));
        answer(id);
        send(Notification.of(Methods.INITIALIZED));
    }

    /** Sends a request with the next id, counting from 0. */
    MessageId request(String method, String params) {
        var id = MessageId.of(lastId.incrementAndGet());
        send(Request.of(id, method, params));
        return id;
    }

    /** Calls a tool without waiting. */
    MessageId callLater(String tool, String arguments) {
        return request(
                Methods.TOOLS_CALL, "{\"name\":%s,\"arguments\":%s}".formatted(JsonStrings.quote(tool), arguments));
    }

    /** Calls a tool and waits for the response. */
    Response call(String tool, String arguments) {
        return answer(callLater(tool, arguments));
    }

    /** The names of the tools that are listed now, in the order of the list. */
    List<String> toolNames() {
        var list = answer(request(Methods.TOOLS_LIST, "{}"));
        return Names.of(list.raw(MessageField.RESULT).orElse(""));
    }

    void cancel(MessageId id) {
        send(Notification.of(Methods.CANCELLED, "{\"requestId\":" + id.raw() + "}"));
    }

    void send(Message message) {
        send(message.json() + "\n");
    }

    void send(String text) {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Waits for the answer to a request. */
    Response answer(MessageId id) {
        return Eventually.get(() -> "an answer to " + id, () -> Optional.ofNullable(answers.get(id)));
    }

    boolean hasAnswer(MessageId id) {
        return answers.containsKey(id);
    }

    /** Discards the response to a request whose id is used again. */
    void forget(MessageId id) {
        answers.remove(id);
    }

    /** The received messages other than responses, in order. */
    List<Message> others() {
        return others;
    }

    /** The received notifications and requests of this method. */
    long count(String method) {
        return others.stream()
                .filter(message -> message instanceof Notification note
                        ? note.method().equals(method)
                        : message instanceof Request request && request.method().equals(method))
                .count();
    }

    /** Whether the other side has ended the connection. */
    boolean isOver() {
        return isOver;
    }

    private void read() {
        try (var reader =
                new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                keep(Message.scan(line.getBytes(StandardCharsets.UTF_8), Limits.SERVER));
            }
        } catch (IOException closed) {
            // We or the daemon ended it.
        }
        isOver = true;
    }

    private void keep(Message message) {
        if (isPolite && message instanceof Request request && request.method().equals(Methods.PING)) {
            send(Response.result(request.id(), "{}"));
        }
        if (isAccepting
                && message instanceof Request request
                && request.method().equals(Methods.ELICITATION_CREATE)) {
            send(Response.result(request.id(), "{\"action\":\"accept\",\"content\":{}}"));
        }
        if (message instanceof Response response && response.id().isPresent()) {
            answers.put(response.id().get(), response);
        } else {
            others.add(message);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
