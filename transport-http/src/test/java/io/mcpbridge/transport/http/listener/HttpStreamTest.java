package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams, and how they are taken up after they broke. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HttpStreamTest {
    private static final String NEWEST = "MCP-Protocol-Version: 2025-11-25\r\n";
    private static final String OLDER = "MCP-Protocol-Version: 2025-06-18\r\n";

    private final Served served = Served.with(Map.of());

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void answerAloneIsPlainJsonWithTheStatusAndHeadersOfItsEnding() throws IOException {
        try (var client = served.client()) {
            client.send(Served.PING);
            served.acceptor.awaitMessage().end(Served.answer(1).withHeader("Mcp-Session-Id", "s-1"));

            var response = client.response();

            assertThat(response.headers())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("mcp-session-id", "s-1");
        }
    }

    @Test
    void acceptedHasNoBodyAndRefusedHasItsStatus() throws IOException {
        try (var client = served.client()) {
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            served.acceptor.awaitMessage().end(Ending.accepted());
            var accepted = client.response();
            client.send(Served.PING);
            served.acceptor.awaitMessage().end(Ending.refused(404));
            var refused = client.response();

            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.headers()).containsEntry("content-length", "0");
            assertThat(refused.status()).isEqualTo(404);
        }
    }

    @Test
    void firstOfferCommitsToAStreamThatEndsWithTheAnswerAndTheConnectionGoesOn() throws IOException {
        try (var client = served.client()) {
            client.send(Served.PING);
            var exchange = served.acceptor.awaitMessage();
            exchange.offer(progress(1));
            exchange.end(Served.answer(1));

            var response = client.response();
            assertThat(response.headers())
                    .containsEntry("content-type", "text/event-stream")
                    .containsEntry("cache-control", "no-store")
                    .containsEntry("x-accel-buffering", "no");
            assertThat(client.event()).startsWith("event: message\ndata: {").contains("\"progress\":1");
            assertThat(client.event()).contains("\"result\"");
            assertThat(client.event()).isEmpty();
            client.send(Served.PING);
            served.acceptor.awaitMessage().end(Served.answer(1));
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void boundStreamOfTheNewestLegacyRevisionBeginsWithAPrimingEvent() throws IOException {
        try (var client = served.client()) {
            asked(client, NEWEST).offer(progress(1));

            client.response();
            assertThat(client.event()).matches("id: \\d+-0\nretry: \\d+\ndata:\n\n");
            assertThat(client.event()).matches("(?s)id: \\d+-1\nevent: message\ndata: .*");
        }
    }

    @Test
    void boundStreamOfAnOlderRevisionHasIdsButNoPrimingEvent() throws IOException {
        try (var client = served.client()) {
            asked(client, OLDER).offer(progress(1));

            client.response();
            assertThat(client.event()).matches("(?s)id: \\d+-1\nevent: message\ndata: .*");
        }
    }

    @Test
    void deleteAndGetAreHandedOverAsWhatTheyAre() throws IOException {
        try (var client = served.client()) {
            client.write(client.get("").replace("GET", "DELETE"));
            served.acceptor.await(Exchange.Kind.END).end(Ending.empty());
            assertThat(client.response().status()).isEqualTo(200);

            client.write(client.get(""));
            served.acceptor.await(Exchange.Kind.LISTEN).end(Ending.refused(405));
            assertThat(client.response().status()).isEqualTo(405);
        }
    }

    @Test
    void credentialsAreNotHandedOver() throws IOException {
        try (var client = served.client()) {
            client.write(client.post("Authorization: Bearer x\r\nCookie: a=b\r\nX-Team: tools\r\n", Served.PING));

            var metadata = served.acceptor.awaitMessage().metadata();

            assertThat(metadata.all("authorization")).isEmpty();
            assertThat(metadata.all("cookie")).isEmpty();
            assertThat(metadata.first("x-team")).contains("tools");
        }
    }

    @Nested
    class TakenUp {

        @Test
        void streamGoesOnWhereItBrokeAndEndsWithTheAnswer() throws IOException {
            String lastId;
            Exchange exchange;
            try (var client = served.client()) {
                exchange = asked(client, NEWEST);
                exchange.offer(progress(1));
                exchange.offer(progress(2));
                client.response();
                client.event();
                lastId = id(client.event());
            }
            awaitAbandoned(exchange);
            assertThat(exchange.offer(progress(3))).isEqualTo(Exchange.Offer.QUEUED);

            try (var client = resumed("s-1", lastId)) {
                client.response();
                assertThat(client.event()).contains("\"progress\":2");
                assertThat(client.event()).contains("\"progress\":3");
                exchange.offer(progress(4));
                exchange.end(Served.answer(1));
                assertThat(client.event()).contains("\"progress\":4");
                assertThat(client.event()).contains("\"result\"");
                assertThat(client.event()).isEmpty();
            }
        }

        @Test
        void answerThatCameWhileNobodyListenedIsReplayed() throws IOException {
            String lastId;
            Exchange exchange;
            try (var client = served.client()) {
                exchange = asked(client, NEWEST);
                exchange.offer(progress(1));
                client.response();
                client.event();
                lastId = id(client.event());
            }
            awaitAbandoned(exchange);
            exchange.end(Served.answer(1));

            try (var client = resumed("s-1", lastId)) {
                client.response();
                assertThat(client.event()).contains("\"result\"");
                assertThat(client.event()).isEmpty();
            }
        }

        @Test
        @DisplayName("C16: nothing of another session is replayed")
        void nothingOfAnotherSessionIsReplayed() throws IOException {
            String lastId;
            try (var client = served.client()) {
                var exchange = asked(client, NEWEST);
                exchange.offer(progress(1));
                exchange.offer(progress(2));
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
                exchange = asked(client, NEWEST);
                var another = asked(other, NEWEST);
                another.offer(progress(7));
                another.offer(progress(8));
                exchange.offer(progress(1));
                exchange.offer(progress(2));
                client.response();
                client.event();
                lastId = id(client.event());
            }

            try (var client = resumed("s-1", lastId)) {
                client.response();
                assertThat(client.event()).contains("\"progress\":2");
                exchange.end(Served.answer(1));
                assertThat(client.event()).contains("\"result\"");
            }
        }

        @Test
        void nothingIsReplayedAfterTheSessionEnded() throws IOException {
            String lastId;
            try (var client = served.client()) {
                var exchange = asked(client, NEWEST);
                exchange.offer(progress(1));
                client.response();
                lastId = id(client.event());
                exchange.end(Served.answer(1));
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
        void listeningStreamGoesOnWithItsNewExchange() throws IOException {
            String lastId;
            Exchange old;
            try (var client = served.client()) {
                client.write(client.get(NEWEST));
                old = served.acceptor.await(Exchange.Kind.LISTEN);
                old.bind("s-1");
                client.response();
                old.offer(progress(1));
                client.event();
                lastId = id(client.event());
            }
            awaitAbandoned(old);
            old.offer(progress(2));

            try (var client = served.client()) {
                client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
                var taken = served.acceptor.await(Exchange.Kind.RESUME);
                taken.bind("s-1");
                client.response();
                assertThat(client.event()).contains("\"progress\":2");
                assertThat(old.offer(progress(9))).isEqualTo(Exchange.Offer.FULL);
                taken.offer(progress(3));
                assertThat(client.event()).contains("\"progress\":3");
            }
        }

        @Test
        void streamOfARequestCarriesNothingElse() throws IOException {
            String lastId;
            Exchange exchange;
            try (var client = served.client()) {
                exchange = asked(client, NEWEST);
                exchange.offer(progress(1));
                client.response();
                lastId = id(client.event());
            }
            awaitAbandoned(exchange);

            try (var client = served.client()) {
                client.write(client.get(NEWEST + "Last-Event-ID: " + lastId + "\r\n"));
                var taken = served.acceptor.await(Exchange.Kind.RESUME);
                taken.bind("s-1");

                assertThat(taken.offer(progress(7))).isEqualTo(Exchange.Offer.FULL);
            }
        }

        @Test
        void listeningExchangeIsAbandonedWhenAnotherTakesItsStreamUp() throws IOException {
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
                var exchange = asked(first, NEWEST);
                exchange.offer(progress(1));
                first.response();
                second.write(second.get(NEWEST + "Last-Event-ID: " + id(first.event()) + "\r\n"));
                var taken = served.acceptor.await(Exchange.Kind.RESUME);
                taken.bind("s-1");

                exchange.end(Served.answer(1));

                awaitAbandoned(taken);
            }
        }

        @Test
        void streamThatIsTakenUpWhileItsConnectionLastsGoesOnAndEndsWithTheAnswer() throws IOException {
            try (var first = served.client();
                    var second = served.client()) {
                var exchange = asked(first, NEWEST);
                exchange.offer(progress(1));
                first.response();
                second.write(second.get(NEWEST + "Last-Event-ID: " + id(first.event()) + "\r\n"));
                served.acceptor.await(Exchange.Kind.RESUME).bind("s-1");
                awaitAbandoned(exchange);

                assertThat(exchange.offer(progress(2))).isNotEqualTo(Exchange.Offer.FULL);
                exchange.end(Served.answer(1));

                second.response();
                assertThat(second.event()).contains("\"progress\":1");
                assertThat(second.event()).contains("\"progress\":2");
                assertThat(second.event()).contains("\"result\"");
                assertThat(second.event()).isEmpty();
            }
        }

        @Test
        void connectionWhoseStreamEndedHearsNoMoreOfIt() throws IOException {
            try (var first = served.client();
                    var second = served.client()) {
                var exchange = asked(first, NEWEST);
                exchange.offer(progress(1));
                exchange.end(Served.answer(1));
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

                assertGoesOn(first);
                second.response();
                assertThat(second.event()).contains("\"progress\":1");
                assertThat(second.event()).contains("\"result\"");
                assertThat(second.event()).isEmpty();
                assertGoesOn(second);
            }
        }

        private void assertGoesOn(RawHttpClient client) throws IOException {
            client.send(Served.PING);
            served.acceptor.awaitMessage().end(Served.answer(1));
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

    private Exchange asked(RawHttpClient client, String headers) throws IOException {
        client.write(client.post(headers, Served.PING));
        var exchange = served.acceptor.awaitMessage();
        exchange.bind("s-1");
        return exchange;
    }

    private static Notification progress(int value) {
        return Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":" + value + "}");
    }
}
