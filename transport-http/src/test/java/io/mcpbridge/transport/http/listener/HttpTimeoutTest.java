package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are idle, slow, too many or gone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTimeoutTest {
    /** Several times as much as the buffers of the two sockets can hold. */
    private static final int LARGE = 24 << 20;

    @Test
    void idleConnectionIsClosed() throws IOException {
        try (var served = ListenerFixture.echoing(Map.of("keep-alive", "100ms"));
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            client.response();

            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void slowAnswerIsNotTimedOut() throws IOException {
        var clock = new FakeTimekeeper();
        try (var served = ListenerFixture.with(
                        Map.of("head-deadline", "1s", "request-deadline", "1s", "keep-alive", "1s"), clock);
                var client = served.client();
                var other = served.client()) {
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            assertThat(restWhileTimePasses(other, clock)).isEmpty();

            exchange.end(ListenerFixture.answer(1));

            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void nextRequestAfterAnAnswerOfAnotherThreadHasADeadline() throws IOException {
        try (var served = ListenerFixture.with(Map.of("head-deadline", "100ms"));
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
            assertThat(client.response().status()).isEqualTo(200);

            client.write("POST /mcp HTTP/1.1\r\nHost");

            assertThat(client.response().status()).isEqualTo(408);
        }
    }

    private static String restWhileTimePasses(RawHttpClient client, FakeTimekeeper clock) {
        var rest = CompletableFuture.supplyAsync(() -> {
            try {
                return client.rest();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
        Eventually.holds("the end of the connection", () -> {
            clock.advance(Duration.ofMillis(500));
            return rest.isDone();
        });
        return rest.join();
    }

    @Test
    void connectionBeyondTheLimitIsRejectedAndALaterOneIsServed() throws IOException {
        try (var served = ListenerFixture.echoing(Map.of("connections", 1))) {
            try (var first = served.client()) {
                first.send(ListenerFixture.PING);
                assertThat(first.response().status()).isEqualTo(200);
                try (var second = served.client()) {
                    assertThat(second.response().status()).isEqualTo(503);
                }
            }
            Eventually.holds("room for a connection", () -> isServed(served));
        }
    }

    private static boolean isServed(ListenerFixture served) {
        try (var client = served.client()) {
            client.send(ListenerFixture.PING);
            return client.response().status() == 200;
        } catch (IOException turnedAway) {
            return false;
        }
    }

    @Test
    void silentStreamIsKeptAliveByComments() throws IOException {
        try (var served = ListenerFixture.with(Map.of("comment-interval", "50ms"));
                var client = served.client()) {
            client.write(client.get(""));
            served.acceptor.await(Exchange.Kind.LISTEN).bind("s-1");

            assertThat(client.response().headers()).containsEntry("x-accel-buffering", "no");
            assertThat(client.event()).isEqualTo(": keep-alive\n\n");
            assertThat(client.event()).isEqualTo(": keep-alive\n\n");
        }
    }

    @Test
    @DisplayName("C8: a client that reads nothing is disconnected after the write deadline, and reported")
    void clientThatReadsNothingIsDisconnectedAfterTheWriteDeadline() throws IOException {
        var abandoned = new AtomicInteger();
        try (var served = ListenerFixture.with(Map.of("write-deadline", "300ms", "max-queued-bytes", 200_000));
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            exchange.onAbandoned(abandoned::incrementAndGet);
            var note = note("x".repeat(50_000));

            fill(exchange, note);

            Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
            assertThat(served.log.lines()).anyMatch(line -> line.contains("'write-deadline'"));
            assertThat(served.acceptor.awaitNote(AuditNote.SLOW_READER).details())
                    .containsEntry("peer", "127.0.0.1")
                    .extractingByKey("reason", as(STRING))
                    .contains("300 ms", "'write-deadline'");
        }
    }

    @Test
    void slowReaderOfALargeAnswerIsNotDisconnected() throws IOException {
        var clock = new FakeTimekeeper();
        try (var served = ListenerFixture.with(Map.of("write-deadline", "1s", "max-queued-bytes", 2 * LARGE), clock);
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            var large = JsonStrings.quote("y".repeat(LARGE));
            served.acceptor.awaitMessage().end(Ending.answer(Response.result(MessageId.of(1), large)));

            assertThat(readSlowly(client, clock, Duration.ofSeconds(2))).isGreaterThan(LARGE);
        }
    }

    @Test
    void largeAnswerArrivesWholeBeforeTheConnectionCloses() throws IOException {
        try (var served = ListenerFixture.with(Map.of("max-queued-bytes", 2 * LARGE));
                var client = served.client()) {
            client.write(client.post("Connection: close\r\n", ListenerFixture.PING));
            var large = JsonStrings.quote("y".repeat(LARGE));
            served.acceptor.awaitMessage().end(Ending.answer(Response.result(MessageId.of(1), large)));

            assertThat(client.response().body().length()).isGreaterThan(LARGE);
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void largeEventArrivesWholeBeforeTheStreamEnds() throws IOException {
        try (var served = ListenerFixture.with(Map.of("max-queued-bytes", 2 * LARGE));
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            exchange.offer(ListenerFixture.progress(1));
            var large = Response.result(MessageId.of(1), JsonStrings.quote("y".repeat(LARGE)));
            exchange.end(Ending.answer(large));

            client.response();
            assertThat(client.event()).contains("progress");
            assertThat(client.event().equals("event: message\ndata: " + large.json() + "\n\n"))
                    .isTrue();
            assertThat(client.event()).isEmpty();
        }
    }

    /**
     * Reads until the answer is there, and lets the span pass meanwhile; returns how many bytes came. The clock moves
     * only with the bytes, so the listener has written some before the span of its buffers is over.
     */
    private static long readSlowly(RawHttpClient client, FakeTimekeeper clock, Duration span) throws IOException {
        var in = client.socket().getInputStream();
        long count = 0;
        var buffer = new byte[64 << 10];
        while (count <= LARGE) {
            int read = in.read(buffer);
            if (read < 0) {
                return count;
            }
            count += read;
            clock.advance(Duration.ofNanos(span.toNanos() / LARGE * read));
        }
        return count;
    }

    @Test
    void answerBeyondTheQueueLimitEndsTheConnection() throws IOException {
        try (var served = ListenerFixture.with(Map.of("max-queued-bytes", 200_000));
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            var note = note("x".repeat(50_000));
            fill(exchange, note);

            exchange.end(Ending.answer(Response.result(MessageId.of(1), JsonStrings.quote("y".repeat(150_000)))));

            assertThat(client.rest()).doesNotContain("yyy").doesNotEndWith("0\r\n\r\n");
            assertThat(served.acceptor
                            .awaitNote(AuditNote.SLOW_READER)
                            .details()
                            .get("reason"))
                    .contains("'max-queued-bytes'");
        }
    }

    @ParameterizedTest(name = "by {0}")
    @DisplayName("C9: a disconnected client abandons its exchange")
    @ValueSource(strings = {"FIN", "RST"})
    void disconnectAbandonsTheExchange(String how) throws IOException {
        var abandoned = new AtomicInteger();
        try (var served = ListenerFixture.with(Map.of())) {
            var client = served.client();
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            exchange.onAbandoned(abandoned::incrementAndGet);
            exchange.offer(note("under way"));

            if (how.equals("RST")) {
                client.socket().setSoLinger(true, 0);
            }
            client.close();

            Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
            assertThat(exchange.offer(note("too late"))).isEqualTo(Exchange.Offer.FULL);
        }
    }

    @Test
    void thousandConnectionsLeaveNothingOpen() throws IOException {
        var before = LeakCheck.now();

        try (var served = ListenerFixture.echoing(Map.of())) {
            for (int i = 0; i < 1_000; i++) {
                try (var client = served.client()) {
                    client.send(ListenerFixture.PING);
                    client.response();
                }
            }
        }

        before.assertNothingLeftNorOpen();
    }

    /** Offers until the queue stays full, even after the event loop has run. */
    private static void fill(Exchange exchange, Notification note) {
        var inARow = new AtomicInteger();
        Eventually.holds("a queue that stays full", () -> {
            boolean isFull = exchange.offer(note) == Exchange.Offer.FULL;
            return inARow.accumulateAndGet(0, (before, any) -> isFull ? before + 1 : 0) >= 100;
        });
    }

    private static Notification note(String text) {
        return Notification.of(Methods.LOG_MESSAGE, "{\"data\":" + JsonStrings.quote(text) + "}");
    }
}
