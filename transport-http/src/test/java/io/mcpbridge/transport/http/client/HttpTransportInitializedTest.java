package io.mcpbridge.transport.http.client;

import static io.mcpbridge.transport.http.RawHttpServer.bare;
import static io.mcpbridge.transport.http.RawHttpServer.json;
import static io.mcpbridge.transport.http.RawHttpServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.transport.http.RawHttpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests while {@code notifications/initialized} is in progress. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTransportInitializedTest {
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile String verdict = bare(202, "");
    private RawHttpServer server;
    private Client client;

    @BeforeEach
    void initialize() throws Exception {
        server = new RawHttpServer(this::play);
        client = Client.of(server);
        client.initialize();
    }

    /** Leaves the notification without an answer until the test has settled it. */
    private void play(RawHttpServer.Talk talk) throws IOException {
        for (var next = talk.next(); next.isPresent(); next = talk.next()) {
            var body = next.get().body();
            if (body.contains(Methods.INITIALIZED)) {
                await();
                talk.write(verdict);
            } else if (next.get().method().equals("POST") && body.contains("\"method\"")) {
                talk.write(json(200, result(body.replaceAll(".*\"id\":(\\d+).*", "$1"))));
            } else {
                talk.write(bare(202, ""));
            }
        }
    }

    private void await() {
        try {
            settled.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void end() throws IOException {
        settled.countDown();
        client.close();
        server.close();
    }

    @Test
    void requestsAreSentOnceInitializedIsAccepted() {
        client.initialized();
        var requests = List.of(client.send(), client.send(), client.send());
        client.send(Response.result(MessageId.of("theirs"), "{}"));
        Eventually.holds("the answer to the server", () -> calls("theirs") == 1);

        assertThat(calls(Methods.TOOLS_CALL)).isZero();

        settled.countDown();
        requests.forEach(client::answer);
        assertThat(calls(Methods.TOOLS_CALL)).isEqualTo(3);
    }

    @Test
    void requestsAreSentAfterInitializedFailed() {
        verdict = bare(400, "");
        client.initialized();
        var request = client.send();

        settled.countDown();

        client.answer(request);
    }

    @Test
    void requestsAreSentAfterInitializedTimedOut() {
        client.send(Notification.of(Methods.INITIALIZED), Duration.ofMillis(100));

        client.answer(client.send());
    }

    @Test
    void requestsAreSentAfterInitializedWasAbandoned() {
        var initialized = client.send(Notification.of(Methods.INITIALIZED));
        var request = client.send();

        client.transport.abandon(initialized, "not needed");

        client.answer(request);
    }

    @Test
    void requestCancelledBeforeInitializedIsAcceptedIsNeverSent() {
        client.initialized();
        var withdrawn = client.send();
        var kept = client.send();

        assertThat(client.transport.abandon(withdrawn, "not needed")).isTrue();

        settled.countDown();
        client.answer(kept);
        assertThat(calls(Methods.TOOLS_CALL)).isEqualTo(1);
        assertThat(client.receiver.isWritten(withdrawn)).isFalse();
    }

    @Test
    void closeEndsRequestsThatWait() {
        client.initialized();
        var request = client.send();

        client.transport.close();

        client.receiver.awaitClosed();
        assertThat(client.receiver.isWritten(request)).isFalse();
        assertThat(calls(Methods.TOOLS_CALL)).isZero();
    }

    private long calls(String text) {
        return server.heard().stream()
                .filter(each -> each.body().contains(text))
                .count();
    }
}
