package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several messages in one array, and the one response to them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpBatchTest {
    private static final String TWO = "[" + request(1) + "," + request(2) + "]";
    private static final String TOLD = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    private final ListenerFixture served = ListenerFixture.takingBatches();

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void answersAreOneArray() throws IOException {
        try (var client = served.client()) {
            client.send(TWO);
            var first = served.acceptor.awaitMessage();
            var second = served.acceptor.awaitMessage();

            second.end(ListenerFixture.answer(2));
            first.end(ListenerFixture.answer(1));

            var response = client.response();
            assertThat(response.headers()).containsEntry("content-type", "application/json");
            assertThat(response.body()).isEqualTo("[" + answer(2) + "," + answer(1) + "]");
            assertContinues(client);
        }
    }

    @Test
    void eventBeforeAnAnswerMakesTheResponseAStream() throws IOException {
        try (var client = served.client()) {
            client.send(TWO);
            var first = served.acceptor.awaitMessage();
            var second = served.acceptor.awaitMessage();

            first.end(ListenerFixture.answer(1));
            second.offer(Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}"));
            second.end(ListenerFixture.answer(2));

            assertThat(client.response().headers()).containsEntry("content-type", "text/event-stream");
            assertThat(client.event()).contains(answer(1));
            assertThat(client.event()).contains("progress");
            assertThat(client.event()).contains(answer(2));
            assertThat(client.event()).isEmpty();
            assertContinues(client);
        }
    }

    @Test
    void largeAnswersMakeTheResponseAStream() throws IOException {
        var large = "{\"text\":\"" + "x".repeat(HttpBatch.MAX_BUFFERED_BYTES) + "\"}";
        try (var client = served.client()) {
            client.send(TWO);
            var first = served.acceptor.awaitMessage();
            var second = served.acceptor.awaitMessage();

            first.end(Ending.answer(Response.result(MessageId.of(1), large)));
            assertThat(client.response().headers()).containsEntry("content-type", "text/event-stream");
            assertThat(client.event()).contains(large);
            second.end(ListenerFixture.answer(2));

            assertThat(client.event()).contains(answer(2));
            assertThat(client.event()).isEmpty();
            assertContinues(client);
        }
    }

    @Test
    void rejectionOnAStreamIsWrittenOnce() throws IOException {
        try (var client = served.client()) {
            client.send(TWO);
            var first = served.acceptor.awaitMessage();
            var second = served.acceptor.awaitMessage();

            first.offer(Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}"));
            first.end(Ending.empty());
            second.end(Ending.refused(400, Response.error(MessageId.of(2), -32600, "no")));

            assertThat(client.response().status()).isEqualTo(200);
            assertThat(client.event()).contains("progress");
            assertThat(client.event()).contains("-32600", "\"id\":2");
            assertThat(client.event()).isEmpty();
            assertContinues(client);
        }
    }

    @Test
    void batchOfNotificationsIsAccepted() throws IOException {
        try (var client = served.client()) {
            client.send("[" + TOLD + "," + TOLD + "]");
            served.acceptor.awaitMessage().end(Ending.accepted());
            served.acceptor.awaitMessage().end(Ending.accepted());

            var response = client.response();

            assertThat(response.status()).isEqualTo(202);
            assertThat(response.body()).isEmpty();
        }
    }

    @Test
    void batchWithoutAnswersGetsAnEmptyStream() throws IOException {
        try (var client = served.client()) {
            client.send("[" + TOLD + "," + request(7) + "]");
            served.acceptor.awaitMessage().end(Ending.accepted());
            served.acceptor.awaitMessage().end(Ending.empty());

            assertThat(client.response().headers()).containsEntry("content-type", "text/event-stream");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    void answerToABatchOfOneIsAnArray() throws IOException {
        try (var client = served.client()) {
            client.send("[" + TOLD + "," + request(7) + "]");
            served.acceptor.awaitMessage().end(Ending.accepted());
            served.acceptor.awaitMessage().end(ListenerFixture.answer(7));

            assertThat(client.response().body()).isEqualTo("[" + answer(7) + "]");
        }
    }

    @Test
    void rejectionOfASingleMessageKeepsItsStatus() throws IOException {
        try (var client = served.client()) {
            client.send("[" + request(1) + "]");
            served.acceptor.awaitMessage().end(Ending.refused(404, Response.error(MessageId.of(1), -32600, "no")));

            assertThat(client.response().status()).isEqualTo(404);
        }
    }

    @Test
    void disconnectAbandonsTheOpenExchanges() throws IOException {
        var abandoned = new AtomicInteger();
        Exchange open;
        try (var client = served.client()) {
            client.send(TWO);
            var ended = served.acceptor.awaitMessage();
            open = served.acceptor.awaitMessage();
            ended.onAbandoned(() -> abandoned.addAndGet(100));
            open.onAbandoned(abandoned::incrementAndGet);
            ended.end(ListenerFixture.answer(1));
        }

        Eventually.holds("the open one to be abandoned", () -> abandoned.get() == 1);
    }

    @Test
    void batchBeyondTheLimitIsRejected() throws IOException {
        assertRefused("[" + (TOLD + ",").repeat(Message.MAX_BATCH) + TOLD + "]");
        assertRefused("[" + "1,".repeat(99_999) + "1]");
    }

    @Test
    void batchWithAModernMessageIsRejected() throws IOException {
        assertRefused("[" + TOLD + ",{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":"
                + "{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}]");
    }

    @Test
    void batchIsRejectedIfTheAcceptorTakesNone() throws IOException {
        served.acceptor.takesBatches(false);

        assertRefused(TWO);
    }

    private void assertRefused(String json) throws IOException {
        try (var client = served.client()) {
            client.send(json);
            var response = client.response();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.body()).contains("-32600").doesNotContain("\"id\"");
            // Nothing of it was handed over: what comes next is the first that is.
            assertContinues(client);
        }
    }

    private void assertContinues(RawHttpClient client) throws IOException {
        client.send(request(9));
        var next = served.acceptor.awaitMessage();
        assertThat(next.message().orElseThrow().json()).isEqualTo(request(9));
        next.end(ListenerFixture.answer(9));
        assertThat(client.response().body()).isEqualTo(answer(9));
    }

    private static String request(int id) {
        return ListenerFixture.PING.replace("\"id\":1", "\"id\":" + id);
    }

    private static String answer(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }
}
