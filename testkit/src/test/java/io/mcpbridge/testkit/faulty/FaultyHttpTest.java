package io.mcpbridge.testkit.faulty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.message.Era;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The faulty server over HTTP. */
@Timeout(60)
class FaultyHttpTest {
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"count\",\"arguments\":{\"key\":\"k\"}}}";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}";

    private FaultyServer server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);

    @AfterEach
    void close() {
        server.close();
    }

    private void follow(String... rules) {
        server.follow(FaultScript.parse(rules)).start();
    }

    private HttpResponse<String> post(String body, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.uri())
                .timeout(Duration.ofSeconds(5))
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        // A separate client: a pooled connection may end during a request when the server restarts.
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void serverAnswersAndCounts() throws Exception {
        assertThat(post(CALL).body()).contains("\"text\":\"1\"");

        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    void statusFaultSendsRetryAfter() throws Exception {
        follow("on-request:1=status:429:2");

        var refused = post(CALL);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("2");
        assertThat(post(CALL).statusCode()).isEqualTo(200);
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    void redirectFaultSendsALocation() throws Exception {
        follow("on-request=redirect:http://10.0.0.1/");

        var answer = post(CALL);

        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location")).contains("http://10.0.0.1/");
    }

    @Test
    void restartLosesTheSession() throws Exception {
        var session = post(INITIALIZE).headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertThat(post(CALL, "Mcp-Session-Id", session).statusCode()).isEqualTo(200);

        server.start();

        assertThat(post(CALL, "Mcp-Session-Id", session).statusCode()).isEqualTo(404);
        assertThat(server.ledger().starts()).isEqualTo(2);
    }

    @Test
    void cutAnswerHasRun() {
        follow("mid-answer=cut");

        assertThatThrownBy(() -> post(CALL)).isInstanceOf(IOException.class);

        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    void severalMessagesAreSentAsAStream() throws Exception {
        follow("on-request=flood:3");

        var answer = post(CALL);

        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(answer.body().lines().filter(line -> line.startsWith("data: ")))
                .hasSize(4);
    }

    @Test
    void stoppedServerRefusesConnections() {
        server.stop();

        assertThatThrownBy(() -> post(CALL)).isInstanceOf(IOException.class);
    }
}
