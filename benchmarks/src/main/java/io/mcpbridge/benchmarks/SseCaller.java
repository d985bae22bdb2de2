package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Calls a tool over HTTP+SSE of 2024-11-05: posts on one connection, reads answers from another. Not thread-safe. */
final class SseCaller implements Session {
    private static final String GET =
            String.join("\r\n", "GET %s HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream", "", "");

    private final HttpConnection posts;
    private final HttpConnection events;
    private final String address;
    private final EchoCall call;

    private SseCaller(HttpConnection posts, HttpConnection events, String address, EchoCall call) {
        this.posts = posts;
        this.events = events;
        this.address = address;
        this.call = call.framed(HttpCaller.head(address, ""), "");
    }

    /** Waits only for the answer of {@code initialize}. */
    static SseCaller open(int port, String path, EchoCall call) throws IOException {
        var events = new HttpConnection(port);
        events.send(ByteBuffer.wrap(EchoCall.bytes(GET.formatted(path))));
        events.readHead();
        events.requireSuccess();
        awaitEvent(events, "\n\n");
        var address = events.text().replaceFirst("(?s).*data: *(\\S+).*", "$1").replaceFirst("https?://[^/]+", "");
        var posts = new HttpConnection(port);
        HttpCaller.post(posts, address, "", Payload.INITIALIZE);
        awaitEvent(events, "\"result\"");
        return new SseCaller(posts, events, address, call);
    }

    private static void awaitEvent(HttpConnection events, String part) throws IOException {
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

    /** Answers of earlier calls do no harm, since each has its number. */
    @Override
    public void reconnect() throws IOException {
        posts.reconnect();
    }

    @Override
    public void close() throws IOException {
        posts.close();
        events.close();
    }
}
