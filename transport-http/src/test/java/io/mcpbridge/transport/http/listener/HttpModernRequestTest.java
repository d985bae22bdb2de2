package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the modern era: nothing of them belongs to a session. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpModernRequestTest {
    private static final String HEADERS =
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: =?base64?w6Q=?=\r\n";
    private static final Notification PROGRESS =
            Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}");

    private static final String KEEP_ALIVE = ": keep-alive\n\n";
    private static final Map<String, String> COMMENTING = Map.of("comment-interval", "50ms");

    private final ListenerFixture served = ListenerFixture.with(Map.of());

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void headersKeepAllTheirValues() throws IOException {
        try (var client = served.client()) {
            client.write(client.post(HEADERS + "Mcp-Param-A: 1\r\nmcp-param-a: 2\r\n", ListenerFixture.PING));

            var metadata = served.acceptor.awaitMessage().headers();

            assertThat(metadata.all("mcp-method")).containsExactly("tools/call");
            assertThat(metadata.all("mcp-name")).containsExactly("=?base64?w6Q=?=");
            assertThat(metadata.all("mcp-param-a")).containsExactly("1", "2");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"200", "400", "404"})
    void statusCanBeSetBeforeAnythingIsSent(int status) throws IOException {
        try (var client = served.client()) {
            client.write(client.post(HEADERS, ListenerFixture.PING));
            var error = Response.error(MessageId.of(1), -32021, "no");
            served.acceptor
                    .awaitMessage()
                    .end(status == 200 ? ListenerFixture.answer(1) : Ending.refused(status, error));

            var response = client.response();

            assertThat(response.status()).isEqualTo(status);
            assertThat(response.headers()).containsEntry("content-type", "application/json");
        }
    }

    @Test
    void errorAfterAnEventIsSentAsAnEvent() throws IOException {
        try (var client = served.client()) {
            client.write(client.post(HEADERS, ListenerFixture.PING));
            var exchange = served.acceptor.awaitMessage();
            exchange.offer(PROGRESS);
            exchange.end(Ending.refused(400, Response.error(MessageId.of(1), -32021, "no")));

            var response = client.response();

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.headers())
                    .containsEntry("content-type", "text/event-stream")
                    .containsEntry("cache-control", "no-store")
                    .containsEntry("x-accel-buffering", "no");
            assertThat(client.event()).isEqualTo("event: message\ndata: " + PROGRESS.json() + "\n\n");
            assertThat(client.event()).contains("-32021");
            assertThat(client.event()).isEmpty();
        }
    }

    @Test
    void openStreamIsKeptAliveByComments() throws IOException {
        try (var commenting = ListenerFixture.with(COMMENTING);
                var client = commenting.client()) {
            client.write(client.post(HEADERS, ListenerFixture.PING));
            var exchange = commenting.acceptor.awaitMessage();
            exchange.offer(Notification.of(Methods.SUBSCRIPTIONS_ACKNOWLEDGED));
            client.response();
            client.event();

            assertThat(client.event()).isEqualTo(KEEP_ALIVE);
            assertThat(client.event()).isEqualTo(KEEP_ALIVE);
            exchange.end(ListenerFixture.answer(1));
            assertThat(eventAfterComments(client)).contains("\"result\"");
        }
    }

    private static String eventAfterComments(RawHttpClient client) throws IOException {
        var event = client.event();
        while (event.equals(KEEP_ALIVE)) {
            event = client.event();
        }
        return event;
    }

    @ParameterizedTest(name = "by {0}")
    @ValueSource(strings = {"FIN", "RST", "FIN behind another request"})
    void disconnectBeforeTheAnswerAbandonsTheRequest(String how) throws IOException {
        var abandoned = new AtomicInteger();
        var client = served.client();
        client.write(client.post(HEADERS, ListenerFixture.PING));
        var exchange = served.acceptor.awaitMessage();
        exchange.onAbandoned(abandoned::incrementAndGet);

        if (how.equals("RST")) {
            client.socket().setSoLinger(true, 0);
        } else if (how.contains("behind")) {
            client.write(client.post(HEADERS, ListenerFixture.PING));
        }
        client.close();

        Eventually.holds("the exchange to be abandoned", () -> abandoned.get() == 1);
        assertThat(exchange.offer(PROGRESS)).isEqualTo(Exchange.Offer.FULL);
    }

    @ParameterizedTest
    @CsvSource({"GET, LISTEN", "DELETE, END"})
    void acceptorCanRejectRequestsWithoutASession(String method, Exchange.Kind kind) throws IOException {
        try (var client = served.client()) {
            client.write(client.get("").replace("GET", method));
            served.acceptor.await(kind).end(Ending.refused(405));

            assertThat(client.response().status()).isEqualTo(405);
        }
    }

    @Test
    @DisplayName("C16: an event id does not resume a stream for a modern request")
    void eventIdDoesNotResumeAStreamForAModernRequest() throws IOException {
        try (var client = served.client();
                RawHttpClient other = served.client()) {
            client.write(client.post("MCP-Protocol-Version: 2025-11-25\r\n", ListenerFixture.PING));
            var legacy = served.acceptor.awaitMessage();
            legacy.bind("s-1");
            legacy.offer(PROGRESS);
            client.response();
            var id = client.event().replaceAll("(?s)id: ([^\n]*)\n.*", "$1");

            other.write(other.post(HEADERS + "Last-Event-ID: " + id + "\r\n", ListenerFixture.PING));
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1));

            assertThat(other.response().body()).contains("\"result\"");
        }
    }
}
