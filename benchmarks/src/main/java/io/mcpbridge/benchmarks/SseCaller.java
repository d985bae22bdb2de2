package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Calls a tool over HTTP+SSE of 2024-11-05: posts on one connection, reads answers from another. Not thread-safe. */
final class SseCaller implements Session {
    private static final String GET =
            String.join("\r\n", "GET %s HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream", "", "");

    private final String path;
    private final EchoCall unframed;
    private final HttpConnection events;
    private final HttpConnection posts;
    private String address;
    private EchoCall call;

    /** Opens a session. */
    SseCaller(int port, String path, EchoCall unframed) throws IOException {
        this.path = path;
        this.unframed = unframed;
        this.events = new HttpConnection(port);
        this.posts = new HttpConnection(port);
        this.address = initialize();
        this.call = framed();
    }

    /** Returns where the session takes messages. */
    private String initialize() throws IOException {
        events.send(ByteBuffer.wrap(EchoCall.bytes(GET.formatted(path))));
        events.readHead();
        events.requireSuccess();
        awaitEvent("\n\n");
        var endpoint = events.text().replaceFirst("(?s).*data: *(\\S+).*", "$1").replaceFirst("https?://[^/]+", "");
        HttpCaller.post(posts, endpoint, "", Payload.INITIALIZE);
        awaitEvent("\"result\"");
        return endpoint;
    }

    private EchoCall framed() {
        return unframed.framed(HttpCaller.head(address, ""), "");
    }

    private void awaitEvent(String part) throws IOException {
        do {
            events.clearBody();
            events.readChunk();
        } while (!events.text().contains(part));
    }

    @Override
    public void confirm() throws IOException {
        HttpCaller.post(posts, address, "", Payload.INITIALIZED);
    }

    @Override
    public void prepare() throws IOException {
        posts.refresh();
    }

    @Override
    public void call() throws IOException {
        posts.send(call.next());
        posts.readAnswer();
        events.clearBody();
        while (!call.isAnsweredBy(events.body(), events.bodyLength())) {
            if (isOtherAnswer(events.text()) || !events.readChunk()) {
                throw new IOException("the answer is " + events.text());
            }
        }
    }

    private boolean isOtherAnswer(String event) {
        return event.endsWith("\n\n") && event.contains("\"id\":" + call.number());
    }

    @Override
    public void reconnect() throws IOException {
        events.reconnect();
        posts.reconnect();
        address = initialize();
        call = framed();
        confirm();
    }

    @Override
    public void close() throws IOException {
        posts.close();
        events.close();
    }
}
