package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams that are resumed after they broke, or while they last. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpResumeTest {
    private static final String NEWEST = "MCP-Protocol-Version: 2025-11-25\r\n";

    private final ListenerFixture served = ListenerFixture.with(Map.of());

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void brokenStreamIsResumedAndEndsWithTheAnswer() throws IOException {
        String lastId;
        Exchange exchange;
        try (var client = served.client()) {
            exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            exchange.offer(ListenerFixture.progress(2));
            client.response();
            client.event();
            lastId = id(client.event());
        }
        awaitAbandoned(exchange);
        assertThat(exchange.offer(ListenerFixture.progress(3))).isEqualTo(Exchange.Offer.QUEUED);

        try (var client = resumed("s-1", lastId)) {
            client.response();
            assertThat(client.event()).contains("\"progress\":2");
            assertThat(client.event()).contains("\"progress\":3");
            exchange.offer(ListenerFixture.progress(4));
            exchange.end(ListenerFixture.answer(1));
            assertThat(client.event()).contains("\"progress\":4");
            assertThat(client.event()).contains("\"result\"");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    void answerSentWithoutAConnectionIsReplayed() throws IOException {
        String lastId;
        Exchange exchange;
        try (var client = served.client()) {
            exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            client.response();
            client.event();
            lastId = id(client.event());
        }
        awaitAbandoned(exchange);
        exchange.end(ListenerFixture.answer(1));

        try (var client = resumed("s-1", lastId)) {
            client.response();
            assertThat(client.event()).contains("\"result\"");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    @DisplayName("C16: events of another session are not replayed")
    void nothingOfAnotherSessionIsReplayed() throws IOException {
        String lastId;
        try (var client = served.client()) {
            var exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            exchange.offer(ListenerFixture.progress(2));
            client.response();
            lastId = id(client.event());
        }

        try (var client = resumed("s-2", lastId)) {
            client.response();
            assertThat(client.event()).contains("-0\nretry").doesNotContain("progress");
        }
    }

    @Test
    @DisplayName("C16: events of another stream of the same session are not replayed")
    void eventsOfAnotherStreamOfTheSameSessionAreNotReplayed() throws IOException {
        String lastId;
        Exchange exchange;
        try (var client = served.client();
                var other = served.client()) {
            exchange = served.asked(client, NEWEST);
            var another = served.asked(other, NEWEST);
            another.offer(ListenerFixture.progress(7));
            another.offer(ListenerFixture.progress(8));
            exchange.offer(ListenerFixture.progress(1));
            exchange.offer(ListenerFixture.progress(2));
            client.response();
            client.event();
            lastId = id(client.event());
        }

        try (var client = resumed("s-1", lastId)) {
            client.response();
            assertThat(client.event()).contains("\"progress\":2");
            exchange.end(ListenerFixture.answer(1));
            assertThat(client.event()).contains("\"result\"");
        }
    }

    @Test
    void nothingIsReplayedAfterTheSessionEnded() throws IOException {
        String lastId;
        try (var client = served.client()) {
            var exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            client.response();
            lastId = id(client.event());
            exchange.end(ListenerFixture.answer(1));
        }
        try (var client = served.client()) {
            client.write(client.get("").replace("GET", "DELETE"));
            var ending = served.acceptor.await(Exchange.Kind.END);
            ending.bind("s-1");
            ending.end(Ending.empty());
            client.response();
        }

        try (var client = resumed("s-1", lastId)) {
            client.response();
            assertThat(client.event()).contains("-0\nretry");
        }
    }

    @Test
    void notificationStreamContinuesOnTheNewExchange() throws IOException {
        String lastId;
        Exchange old;
        try (var client = served.client()) {
            client.write(client.get(NEWEST));
            old = served.acceptor.await(Exchange.Kind.LISTEN);
            old.bind("s-1");
            client.response();
            old.offer(ListenerFixture.progress(1));
            client.event();
            lastId = id(client.event());
        }
        awaitAbandoned(old);
        old.offer(ListenerFixture.progress(2));

        try (var client = served.client()) {
            client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
            var taken = served.acceptor.await(Exchange.Kind.RESUME);
            taken.bind("s-1");
            client.response();
            assertThat(client.event()).contains("\"progress\":2");
            assertThat(old.offer(ListenerFixture.progress(9))).isEqualTo(Exchange.Offer.FULL);
            taken.offer(ListenerFixture.progress(3));
            assertThat(client.event()).contains("\"progress\":3");
        }
    }

    @Test
    void streamOfARequestCarriesNoOtherMessages() throws IOException {
        String lastId;
        Exchange exchange;
        try (var client = served.client()) {
            exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            client.response();
            lastId = id(client.event());
        }
        awaitAbandoned(exchange);

        try (var client = served.client()) {
            client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
            var taken = served.acceptor.await(Exchange.Kind.RESUME);
            taken.bind("s-1");

            assertThat(taken.offer(ListenerFixture.progress(7))).isEqualTo(Exchange.Offer.FULL);
        }
    }

    @Test
    void exchangeIsAbandonedWhenItsStreamIsResumedElsewhere() throws IOException {
        try (var first = served.client();
                var second = served.client()) {
            first.write(first.get(NEWEST));
            var old = served.acceptor.await(Exchange.Kind.LISTEN);
            old.bind("s-1");
            first.response();
            var lastId = id(first.event());

            second.write(second.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
            served.acceptor.await(Exchange.Kind.RESUME).bind("s-1");

            assertThat(first.event()).isEmpty();
            awaitAbandoned(old);
        }
    }

    @Test
    void resumingExchangeIsAbandonedWhenItsStreamEnds() throws IOException {
        try (var first = served.client();
                var second = served.client()) {
            var exchange = served.asked(first, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            first.response();
            second.write(second.get(NEWEST + "Last-Event-ID: " + id(first.event()) + "\r\n"));
            var taken = served.acceptor.await(Exchange.Kind.RESUME);
            taken.bind("s-1");

            exchange.end(ListenerFixture.answer(1));

            awaitAbandoned(taken);
        }
    }

    @Test
    void streamResumedDuringItsConnectionEndsWithTheAnswer() throws IOException {
        try (var first = served.client();
                var second = served.client()) {
            var exchange = served.asked(first, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            first.response();
            second.write(second.get(NEWEST + "Last-Event-ID: " + id(first.event()) + "\r\n"));
            served.acceptor.await(Exchange.Kind.RESUME).bind("s-1");
            awaitAbandoned(exchange);

            assertThat(exchange.offer(ListenerFixture.progress(2))).isNotEqualTo(Exchange.Offer.FULL);
            exchange.end(ListenerFixture.answer(1));

            second.response();
            assertThat(second.event()).contains("\"progress\":1");
            assertThat(second.event()).contains("\"progress\":2");
            assertThat(second.event()).contains("\"result\"");
            assertThat(second.event()).isEmpty();
        }
    }

    @Test
    void connectionReceivesNothingAfterItsStreamEnded() throws IOException {
        try (var first = served.client();
                var second = served.client()) {
            var exchange = served.asked(first, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            exchange.end(ListenerFixture.answer(1));
            first.response();
            var lastId = id(first.event());
            first.event();
            first.event();
            assertThat(first.event()).isEmpty();

            second.write(second.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
            var taken = served.acceptor.await(Exchange.Kind.RESUME);
            taken.bind("s-1");
            awaitAbandoned(taken);
            taken.end(Ending.empty());

            assertContinues(first);
            second.response();
            assertThat(second.event()).contains("\"progress\":1");
            assertThat(second.event()).contains("\"result\"");
            assertThat(second.event()).isEmpty();
            assertContinues(second);
        }
    }

    @Test
    void resumingACompleteStreamReturnsNoContent() throws IOException {
        try (var client = served.client()) {
            var exchange = served.asked(client, NEWEST);
            exchange.offer(ListenerFixture.progress(1));
            exchange.end(Ending.empty());
            client.response();
            client.event();
            var lastId = id(client.event());
            assertThat(client.event()).isEmpty();

            client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
            var taken = served.acceptor.await(Exchange.Kind.RESUME);
            taken.bind("s-1");

            assertThat(client.response().status()).isEqualTo(204);
            awaitAbandoned(taken);
            assertContinues(client);
        }
    }

    private void assertContinues(RawHttpClient client) throws IOException {
        client.send(ListenerFixture.PING);
        served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
        assertThat(client.response().status()).isEqualTo(200);
    }

    private RawHttpClient resumed(String session, String lastId) throws IOException {
        var client = served.client();
        client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
        served.acceptor.await(Exchange.Kind.RESUME).bind(session);
        return client;
    }

    private void awaitAbandoned(Exchange exchange) {
        var abandoned = new AtomicInteger();
        exchange.onAbandoned(abandoned::incrementAndGet);
        Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
    }

    private String id(String event) {
        return event.replaceAll("(?s)id: ([^\n]*)\n.*", "$1");
    }
}
