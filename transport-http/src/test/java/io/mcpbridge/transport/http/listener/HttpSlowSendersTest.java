package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Residue;
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

/** Five hundred clients that never come to the end of a request, whether they wait or go on byte by byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpSlowSendersTest {
    private static final int CROWD = 500;

    /** Longer than anybody could send byte by byte before a test gives up. */
    private static final String LONG_HEADER = "X-Long: " + "x".repeat(2_000) + "\r\n";

    private static final String LONG_PING = Served.PING + " ".repeat(2_000);

    private final List<RawHttpClient> crowd = new ArrayList<>();
    private final ScheduledExecutorService dribbling =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "test-dribble"));

    /** The first time loads classes, and with them files that stay open. */
    @BeforeAll
    static void serveOne() throws IOException {
        try (var served = Served.echoing(Map.of());
                var client = served.client()) {
            client.send(Served.PING);
            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @AfterEach
    void leave() {
        dribbling.shutdownNow();
        crowd.forEach(RawHttpClient::close);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("C6, C7: whoever does not come to an end is ended, and a good client is served within 100 ms")
    @ValueSource(strings = {"nothing", "half a head", "half a body", "a head by bytes", "a body by bytes"})
    void slowClientsAreEndedAndAGoodOneNoticesNothing(String sent) throws IOException {
        var before = Residue.now();
        try (var served = Served.echoing(Map.of("head-deadline", "1s", "request-deadline", "1s"))) {
            gather(served, sent);

            try (var good = served.client()) {
                // Most of them, since a busy machine may keep a single one waiting.
                assertThat(timesOf(20, good).get(10)).isLessThan(Duration.ofMillis(100));
            }
            for (var each : crowd) {
                assertThat(restOf(each)).matches("(?s)|HTTP/1.1 408 .*");
                each.close();
            }
            dribbling.shutdownNow();
        }
        before.assertNothingLeftNorOpen();
    }

    /** How long so many requests take, one after the other; the shortest first. */
    private static List<Duration> timesOf(int requests, RawHttpClient client) throws IOException {
        var times = new ArrayList<Duration>();
        for (int i = 0; i < requests; i++) {
            var start = System.nanoTime();
            client.send(Served.PING);
            assertThat(client.response().status()).isEqualTo(200);
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }
        return times.stream().sorted().toList();
    }

    private void gather(Served served, String sent) throws IOException {
        for (int i = 0; i < CROWD; i++) {
            var client = served.client();
            crowd.add(client);
            var head = client.post("", Served.PING);
            switch (sent) {
                case "nothing" -> {}
                case "half a head" -> client.write(head.substring(0, 40));
                case "half a body" -> client.write(head.substring(0, head.length() - 5));
                case "a head by bytes" -> dribble(client, client.post(LONG_HEADER, Served.PING), 40);
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
