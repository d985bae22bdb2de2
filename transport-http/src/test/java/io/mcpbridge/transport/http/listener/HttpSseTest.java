package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingAcceptor;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP+SSE of 2024-11-05: one stream is one session, and messages are posted beside it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpSseTest {
    private static final Map<String, ?> TWO_TOKENS =
            Map.of("tokens", Map.of("alice", "0123456789abcdef", "bob", "fedcba9876543210"));
    private static final String ALICE = "Authorization: Bearer 0123456789abcdef\r\n";
    private static final String BOB = "Authorization: Bearer fedcba9876543210\r\n";

    @Test
    void streamBeginsWithASecretEndpointAndIsOneSession() throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var client = served.client()) {
            var endpoint = open(client, "");

            assertThat(endpoint).matches("/messages\\?sessionId=[0-9a-f]{32}");
            var peer = served.acceptor.peers().get(1);
            assertThat(peer.shape()).isEqualTo(TransportTraits.Shape.SHARED_STREAM);
            assertThat(peer.network()).isEqualTo("tcp");
            served.acceptor.await(Exchange.Kind.LISTEN).offer(Notification.of(Methods.TOOLS_LIST_CHANGED));
            assertThat(client.event())
                    .isEqualTo("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"" + Methods.TOOLS_LIST_CHANGED
                            + "\"}\n\n");
        }
    }

    @Test
    void postedMessagesAreAnsweredOnTheStream() throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var client = served.client();
                var other = served.client()) {
            other.at(open(client, ""));

            other.send(ListenerFixture.PING.replace(",", ",\n"));
            assertThat(other.response().status()).isEqualTo(202);
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1));

            assertThat(client.event()).contains("\"result\":{}");
            other.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            assertThat(other.response().status()).isEqualTo(202);
            served.acceptor.awaitMessage().end(Ending.accepted());
        }
    }

    @Test
    void pipelinedMessagesKeepTheirOrder() throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var client = served.client();
                var other = served.client()) {
            other.at(open(client, ""));
            var requests = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                requests.append(other.post("", ListenerFixture.PING.replace("\"id\":1", "\"id\":" + i)));
            }

            other.write(requests.toString());

            for (int i = 0; i < 20; i++) {
                assertThat(served.acceptor
                                .awaitMessage()
                                .message()
                                .orElseThrow()
                                .json())
                        .contains("\"id\":" + i + ",");
                assertThat(other.response().status()).isEqualTo(202);
            }
        }
    }

    @Test
    void disconnectedClientEndsItsSession() throws IOException {
        try (var served = ListenerFixture.with(Map.of())) {
            String endpoint;
            try (var client = served.client()) {
                endpoint = open(client, "");
            }
            Eventually.holds("the end of the session", () -> served.acceptor.closings() == 1);

            try (var other = served.client().at(endpoint)) {
                other.send(ListenerFixture.PING);
                assertThat(other.response().status()).isEqualTo(404);
            }
        }
    }

    @Test
    void sessionOfAnotherPrincipalIsUnknown() throws IOException {
        try (var served = ListenerFixture.with(TWO_TOKENS);
                var client = served.client();
                var other = served.client()) {
            var endpoint = open(client, ALICE);
            assertThat(served.acceptor.peers().get(1).principal().name()).isEqualTo("alice");

            other.write(other.at(endpoint).post(BOB, ListenerFixture.PING));
            var foreign = other.response();
            other.write(other.at("/messages?sessionId=" + "0".repeat(32)).post(BOB, ListenerFixture.PING));
            var unknown = other.response();

            assertThat(foreign.status()).isEqualTo(404);
            assertThat(foreign.body()).isEqualTo(unknown.body());
            assertThat(foreign.headers()).isEqualTo(unknown.headers());
            other.write(other.at(endpoint).post(ALICE, ListenerFixture.PING));
            assertThat(other.response().status()).isEqualTo(202);
        }
    }

    @Test
    void requestsAreValidatedAsForStreamableHttp() throws IOException {
        try (var served = ListenerFixture.with(TWO_TOKENS)) {
            assertStatus(served, "GET /sse", "", 401);
            assertStatus(served, "GET /sse", ALICE + "Origin: https://evil.example\r\n", 403);
            assertStatus(served, "GET /sse", ALICE + "Accept: text/html\r\n", 406);
            assertStatus(served, "POST /sse", ALICE, 405);
            assertStatus(served, "DELETE /sse", ALICE, 405);
            assertStatus(served, "GET /messages", ALICE, 405);
            assertStatus(served, "POST /messages", "", 401);
            assertStatus(served, "POST /messages", ALICE, 415);
            assertStatus(served, "POST /messages", ALICE + "Content-Type: application/json\r\n", 404);
        }
    }

    private static void assertStatus(ListenerFixture served, String begin, String headers, int status)
            throws IOException {
        try (var client = served.client()) {
            client.write(begin + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");

            assertThat(client.response().status()).as(begin + " " + headers).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nonsense", "[]", "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]", "{}"})
    void malformedMessageIsRejectedInTheResponseToItsPost(String body) throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var client = served.client();
                var other = served.client()) {
            other.at(open(client, ""));

            other.send(body);

            assertThat(other.response().status()).isEqualTo(400);
        }
    }

    @Test
    void sseCanBeTurnedOff() throws IOException {
        try (var served = ListenerFixture.with(Map.of("sse", false));
                var client = served.client()) {
            client.write(client.at("/sse").get(""));

            assertThat(client.response().status()).isEqualTo(404);
        }
    }

    @Test
    void silentStreamIsKeptAliveByComments() throws IOException {
        try (var served = ListenerFixture.with(Map.of("comment-interval", "50ms"));
                var client = served.client()) {
            open(client, "");

            assertThat(client.event()).isEqualTo(": keep-alive\n\n");
        }
    }

    @Test
    void rejectedClientGetsAStatus() throws IOException {
        try (var served = ListenerFixture.by(rejectingSecond());
                var client = served.client()) {
            client.write(client.at("/sse").get(""));

            assertThat(client.response().status()).isEqualTo(503);
            assertThat(client.rest()).isEmpty();
        }
    }

    private static Acceptor rejectingSecond() {
        var taking = RecordingAcceptor.takingAll();
        return peer -> peer.shape() == TransportTraits.Shape.SHARED_STREAM ? Optional.empty() : taking.connected(peer);
    }

    @Test
    void unreadLargeAnswerEndsTheSession() throws IOException {
        var clock = new FakeTimekeeper();
        try (var served = ListenerFixture.with(Map.of("write-deadline", "1s", "max-queued-bytes", 3 << 20), clock);
                var client = served.client();
                var other = served.client()) {
            other.at(open(client, ""));
            var listening = served.acceptor.await(Exchange.Kind.LISTEN);
            var large = JsonStrings.quote("x".repeat(2 << 20));
            other.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(Ending.answer(Response.result(MessageId.of(1), large)));
            assertThat(client.event()).hasSizeGreaterThan(2 << 20);

            var note =
                    Notification.of(Methods.LOG_MESSAGE, "{\"data\":" + JsonStrings.quote("y".repeat(100_000)) + "}");
            Eventually.holds("the end of the session", () -> {
                listening.offer(note);
                clock.advance(Duration.ofMillis(50));
                return served.acceptor.closings() == 1;
            });
            assertThat(served.log.lines()).anyMatch(line -> line.contains("write-deadline"));
        }
    }

    @Test
    void manySessionsLeaveNothingOpen() throws IOException {
        var before = LeakCheck.now();
        try (var served = ListenerFixture.with(Map.of())) {
            for (int i = 0; i < 200; i++) {
                try (var client = served.client()) {
                    open(client, "");
                }
            }
            Eventually.holds("the end of all sessions", () -> served.acceptor.closings() == 200);
        }
        before.assertNothingLeftNorOpen();
    }

    @Test
    void everySessionHasItsOwnSecret() throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var one = served.client();
                var two = served.client()) {
            assertThat(List.of(open(one, ""), open(two, ""))).doesNotHaveDuplicates();
        }
    }

    private static String open(RawHttpClient client, String headers) throws IOException {
        client.write(client.at("/sse").get(headers));
        assertThat(client.response().headers())
                .containsEntry("content-type", "text/event-stream")
                .containsEntry("cache-control", "no-store");
        var endpoint = client.event();
        assertThat(endpoint).startsWith("event: endpoint\ndata: ");
        return endpoint.substring("event: endpoint\ndata: ".length()).strip();
    }
}
