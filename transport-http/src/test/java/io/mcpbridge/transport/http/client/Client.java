package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** An open transport with short delays, and a receiver that records. */
final class Client implements AutoCloseable {
    final HttpTestEnvironment surroundings;
    final RecordingReceiver receiver = new RecordingReceiver();
    final Transport transport;
    private final AtomicLong ids = new AtomicLong();
    private ProtocolVersion version = ProtocolVersion.LATEST_LEGACY;

    private Client(URI url, Map<String, Object> more, HttpTestEnvironment surroundings) {
        this.surroundings = surroundings;
        var values = new HashMap<String, Object>(Map.of("url", url.toString(), "reconnect-delay", "20ms"));
        values.putAll(more);
        transport = new HttpTransportProvider().create(Settings.of(values), surroundings.environment());
    }

    static Client of(RawHttpServer server) throws InterruptedException {
        return of(server, Map.of());
    }

    static Client of(RawHttpServer server, Map<String, Object> settings) throws InterruptedException {
        return notOpen(server.url(), settings).open();
    }

    /** The same with a clock that the test moves. */
    static Client of(RawHttpServer server, Map<String, Object> settings, Timekeeper clock) throws InterruptedException {
        return new Client(server.url(), settings, HttpTestEnvironment.timedBy(clock)).open();
    }

    static Client notOpen(URI url, Map<String, Object> settings) {
        return new Client(url, settings, new HttpTestEnvironment());
    }

    Client open() throws InterruptedException {
        transport.open(receiver, surroundings.within(Duration.ofSeconds(30)));
        return this;
    }

    Client speaking(ProtocolVersion spoken) {
        version = spoken;
        return this;
    }

    Outgoing send() {
        return send(Duration.ofSeconds(20));
    }

    Outgoing send(Duration timeout) {
        return send(Request.of(MessageId.of(ids.incrementAndGet()), Methods.TOOLS_CALL, "{}"), timeout);
    }

    Outgoing send(Message message) {
        return send(message, Duration.ofSeconds(20));
    }

    Outgoing send(Message message, Duration timeout) {
        var out = Outgoing.of(message, version, surroundings.within(timeout));
        transport.send(out);
        return out;
    }

    Outgoing sendWith(MessageHeaders headers) {
        var request = Request.of(MessageId.of(ids.incrementAndGet()), Methods.TOOLS_CALL, "{}");
        var out = Outgoing.of(request, version, surroundings.within(Duration.ofSeconds(20)))
                .withHeaders(headers);
        transport.send(out);
        return out;
    }

    /** Requests a session and waits for it. */
    void initialize() {
        answer(send(Request.of(MessageId.of(ids.incrementAndGet()), Methods.INITIALIZE, "{}")));
    }

    void initialized() {
        send(Notification.of(Methods.INITIALIZED));
    }

    Message answer(Outgoing out) {
        return receiver.awaitResponse(((Request) out.message()).id());
    }

    Failure failure(Outgoing out) {
        return receiver.awaitFailure(out).failure();
    }

    /** Waits for the failure of a message while time passes. */
    Failure failure(Outgoing out, FakeTimekeeper clock) {
        Eventually.holds("a failure", () -> {
            clock.advance(Duration.ofMillis(50));
            return receiver.failure(out).isPresent();
        });
        return failure(out);
    }

    static void awaitRequests(RawHttpServer server, int count) {
        Eventually.holds(
                () -> count + " requests; heard were " + server.heard(),
                () -> server.heard().size() >= count);
    }

    @Override
    public void close() {
        transport.close();
        surroundings.close();
    }

    /** A clock that the test moves and that counts how often it is read. */
    static final class CountingClock implements Timekeeper {
        private final FakeTimekeeper time = new FakeTimekeeper();
        private final AtomicLong reads = new AtomicLong();

        @Override
        public long nanoTime() {
            reads.incrementAndGet();
            return time.nanoTime();
        }

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable action) {
            return time.schedule(delay, action);
        }

        /** Moves on after the transport has noted the bytes of a stream, for which it reads the clock. */
        void advanceAfterBytes(Duration span) {
            var before = reads.get();
            // The second read follows the use of the first one.
            Eventually.holds("bytes of the stream", () -> reads.get() >= before + 2);
            time.advance(span);
        }
    }
}
