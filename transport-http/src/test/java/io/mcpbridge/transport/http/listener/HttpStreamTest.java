package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses that are JSON or event streams. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpStreamTest {
    private static final String NEWEST = "MCP-Protocol-Version: 2025-11-25\r\n";
    private static final String OLDER = "MCP-Protocol-Version: 2025-06-18\r\n";

    private final ListenerFixture served = ListenerFixture.with(Map.of());

    @AfterEach
    void end() {
        served.close();
    }

    @Test
    void singleAnswerIsJsonWithItsStatusAndHeaders() throws IOException {
        try (var client = served.client()) {
            client.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1).withHeader("Mcp-Session-Id", "s-1"));

            var response = client.response();

            assertThat(response.headers())
                    .containsEntry("content-type", "application/json")
                    .containsEntry("mcp-session-id", "s-1");
        }
    }

    @Test
    void acceptedHasNoBodyAndRejectedHasItsStatus() throws IOException {
        try (var client = served.client()) {
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            served.acceptor.awaitMessage().end(Ending.accepted());
            var accepted = client.response();
            client.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(Ending.refused(404));
            var refused = client.response();

            assertThat(accepted.status()).isEqualTo(202);
            assertThat(accepted.headers()).containsEntry("content-length", "0");
            assertThat(refused.status()).isEqualTo(404);
        }
    }

    @Test
    void firstEventSwitchesToAStreamThatEndsWithTheAnswer() throws IOException {
        try (var client = served.client()) {
            client.send(ListenerFixture.PING);
            var exchange = served.acceptor.awaitMessage();
            exchange.offer(ListenerFixture.progress(1));
            exchange.end(ListenerFixture.answer(1));

            var response = client.response();
            assertThat(response.headers())
                    .containsEntry("content-type", "text/event-stream")
                    .containsEntry("cache-control", "no-store")
                    .containsEntry("x-accel-buffering", "no");
            assertThat(client.event()).startsWith("event: message\ndata: {").contains("\"progress\":1");
            assertThat(client.event()).contains("\"result\"");
            assertThat(client.event()).isEmpty();
            client.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void requestWithoutAnAnswerGetsAnEmptyStream() throws IOException {
        try (var client = served.client()) {
            served.asked(client, NEWEST).end(Ending.empty());

            var response = client.response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.headers()).containsEntry("content-type", "text/event-stream");
            assertThat(client.event()).isEmpty();
            client.send(ListenerFixture.PING);
            served.acceptor.awaitMessage().end(ListenerFixture.answer(1));
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @Test
    void boundStreamOfTheNewestLegacyRevisionHasAPrimingEvent() throws IOException {
        try (var client = served.client()) {
            served.asked(client, NEWEST).offer(ListenerFixture.progress(1));

            client.response();
            assertThat(client.event()).matches("id: \\d+-0\nretry: \\d+\ndata:\n\n");
            assertThat(client.event()).matches("(?s)id: \\d+-1\nevent: message\ndata: .*");
        }
    }

    @Test
    void boundStreamOfAnOlderRevisionHasIdsButNoPrimingEvent() throws IOException {
        try (var client = served.client()) {
            served.asked(client, OLDER).offer(ListenerFixture.progress(1));

            client.response();
            assertThat(client.event()).matches("(?s)id: \\d+-1\nevent: message\ndata: .*");
        }
    }

    @Test
    void deleteAndGetHaveTheirOwnKinds() throws IOException {
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
    void credentialsAreNotPassedToTheCore() throws IOException {
        try (var client = served.client()) {
            client.write(
                    client.post("Authorization: Bearer x\r\nCookie: a=b\r\nX-Team: tools\r\n", ListenerFixture.PING));

            var metadata = served.acceptor.awaitMessage().headers();

            assertThat(metadata.all("authorization")).isEmpty();
            assertThat(metadata.all("cookie")).isEmpty();
            assertThat(metadata.first("x-team")).contains("tools");
        }
    }
}
