package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Five hundred clients that never complete a request, whether they wait or send byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpSlowSendersTest {
    private static final int CROWD = 500;

    /** More bytes than a client can send one by one before the test ends. */
    private static final String LONG_HEADER = "X-Long: " + "x".repeat(2_000) + "\r\n";

    private static final String LONG_PING = ListenerFixture.PING + " ".repeat(2_000);

    private final List<RawHttpClient> crowd = new ArrayList<>();
    private final ScheduledExecutorService dribbling =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "test-dribble"));

    /** The first time loads classes, and with them files that stay open. */
    @BeforeAll
    static void serveOne() throws IOException {
        try (var served = ListenerFixture.echoing(Map.of());
                var client = served.client()) {
            client.send(ListenerFixture.PING);
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @AfterEach
    void leave() {
        dribbling.shutdownNow();
        crowd.forEach(RawHttpClient::close);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("C6, C7: slow senders are disconnected, and until then other clients are served")
    @ValueSource(strings = {"nothing", "half a head", "half a body", "a head by bytes", "a body by bytes"})
    void slowSendersAreDisconnectedAndOthersAreServed(String sent) throws IOException {
        var before = LeakCheck.now();
        var clock = new FakeTimekeeper();
        try (var served = ListenerFixture.echoing(Map.of("head-deadline", "1s", "request-deadline", "1s"), clock)) {
            gather(served, sent);

            serve(20, served);

            passTime(clock);
            for (var each : crowd) {
                assertThat(restOf(each)).matches("(?s)|HTTP/1.1 408 .*");
                each.close();
            }
            dribbling.shutdownNow();
        }
        before.assertNothingLeftNorOpen();
    }

    /** Lets a client send that many requests while the clock is paused and no slow sender is overdue. */
    private static void serve(int requests, ListenerFixture served) throws IOException {
        try (var client = served.client()) {
            for (int i = 0; i < requests; i++) {
                client.send(ListenerFixture.PING);
                assertThat(client.response().status()).isEqualTo(200);
            }
        }
    }

    /** From now on time passes, much faster than in reality. */
    private void passTime(FakeTimekeeper clock) {
        var unused = dribbling.scheduleWithFixedDelay(
                () -> clock.advance(Duration.ofMillis(250)), 0, 10, TimeUnit.MILLISECONDS);
    }

    private void gather(ListenerFixture served, String sent) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            var client = served.client();
            crowd.add(client);
            var head = client.post("", ListenerFixture.PING);
            switch (sent) {
                case "nothing" -> {}
                case "half a head" -> client.write(head.substring(0, 40));
                case "half a body" -> client.write(head.substring(0, head.length() - 5));
                case "a head by bytes" -> dribble(client, client.post(LONG_HEADER, ListenerFixture.PING), 40);
                default -> dribble(client, client.post("", LONG_PING), head.length());
            }
        }
    }

    /** Sends what is before {@code from} at once, and from there on a byte each time. */
    private void dribble(RawHttpClient client, String request, int from) throws IOException {
        client.write(request.substring(0, from));
        var rest = request.substring(from).chars().mapToObj(Character::toString).iterator();
        var unused = dribbling.scheduleWithFixedDelay(
                () -> {
                    try {
                        client.write(rest.next());
                    } catch (IOException ended) {
                        throw new IllegalStateException("nothing more is sent", ended);
                    }
                },
                100,
                100,
                TimeUnit.MILLISECONDS);
    }

    /** What comes until the end, which may be a reset where bytes were still on their way to the listener. */
    private static String restOf(RawHttpClient client) throws IOException {
        try {
            return client.rest();
        } catch (SocketException reset) {
            return "";
        }
    }
}
