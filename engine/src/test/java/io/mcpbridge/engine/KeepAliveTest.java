package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.call;
import static io.mcpbridge.engine.ClientBench.hand;
import static io.mcpbridge.engine.ClientBench.listen;
import static io.mcpbridge.engine.ClientBench.say;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Silent clients are pinged; those that do not answer are disconnected. */
class KeepAliveTest {
    private static final String SESSION = "Mcp-Session-Id";

    private final ClientBench bench = ClientBench.pinging();

    @Nested
    class OnAByteStream {
        private final Intake stream = bench.greeted();
        private final RecordingExchange listening = listen(stream);

        @Test
        void silentClientIsPinged() {
            bench.time.advance(ClientBench.KEEP_ALIVE.minusMillis(1));
            assertThat(listening.offered()).isEmpty();

            bench.time.advance(Duration.ofMillis(1));

            assertThat(listening.offered())
                    .extracting(Message::json)
                    .containsExactly("{\"jsonrpc\":\"2.0\",\"id\":\"ping-1\",\"method\":\"ping\"}");
        }

        @Test
        void answeringClientStaysConnected() {
            for (int i = 1; i <= 20; i++) {
                bench.time.advance(ClientBench.KEEP_ALIVE);
                say(stream, "{\"jsonrpc\":\"2.0\",\"id\":\"ping-%d\",\"result\":{}}".formatted(i));
            }

            assertThat(listening.offered()).hasSize(20);
            assertThat(bench.clients.registry()).hasSize(1);
            assertThat(listening.isEnded()).isFalse();
        }

        @Test
        void clientThatRejectsThePingStaysConnected() {
            bench.time.advance(ClientBench.KEEP_ALIVE);
            say(stream, "{\"jsonrpc\":\"2.0\",\"id\":\"ping-1\",\"error\":{\"code\":-32601,\"message\":\"what?\"}}");

            bench.time.advance(ClientBench.KEEP_ALIVE.minusMillis(1));

            assertThat(bench.clients.registry()).hasSize(1);
        }

        @Test
        void activeClientIsNotPinged() {
            for (int i = 0; i < 20; i++) {
                bench.time.advance(ClientBench.KEEP_ALIVE.dividedBy(2));
                say(stream, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            }

            assertThat(listening.offered()).isEmpty();
        }

        @Test
        void clientThatDoesNotAnswerIsDisconnectedWithItsCalls() {
            call(stream, "1");
            bench.time.advance(ClientBench.KEEP_ALIVE);
            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();

            bench.time.advance(ClientBench.KEEP_ALIVE);

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_GONE);
            assertThat(bench.clients.registry()).isEmpty();
            assertThat(listening.isEnded()).isTrue();
            assertThat(bench.log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("client 'a client' (client-1) has been silent for 40000 ms and answers no ping"));
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void clientThatDoesNotReadThePingIsDisconnected() {
            listening.offersReturn(Exchange.Offer.FULL);

            bench.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(2));

            assertThat(bench.clients.registry()).isEmpty();
        }

        @Test
        void halfClosedClientIsNotDisconnected() {
            call(stream, "1");
            listening.abandon();

            bench.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(10));

            assertThat(bench.clients.registry()).hasSize(1);
            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
        }

        @Test
        void disconnectedClientLeavesNoAlarm() {
            stream.closed();

            assertThat(bench.time.pendingAlarms()).isZero();
        }
    }

    /** Alarms that are much too late show a suspend of this process, not a lost client. */
    @Test
    void clientSurvivesASuspendOfTheMachine() {
        var sleepy = ClientBench.sleeping(Duration.ofMinutes(1));
        var listening = listen(sleepy.greeted());

        sleepy.time.advance(Duration.ofMinutes(10));

        assertThat(listening.offered()).hasSizeGreaterThan(1);
        assertThat(sleepy.clients.registry()).hasSize(1);
    }

    @Test
    void clientIsNotPingedBeforeItsHandshake() {
        var listening = listen(bench.stream());

        bench.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(3));

        assertThat(listening.offered()).isEmpty();
        assertThat(bench.clients.registry()).hasSize(1);
    }

    @Nested
    class OverHttp {
        private final Intake http = bench.http();
        private final String session = say(http, ClientBench.INITIALIZE)
                .ending()
                .headers()
                .first(SESSION)
                .orElseThrow();

        @Test
        void clientWithoutAnOpenStreamIsNotPinged() {
            bench.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(10));

            assertThat(bench.clients.registry()).hasSize(1);
        }

        @Test
        void clientIsPingedOnItsStreamAndAnswersByPost() {
            var listening =
                    hand(http, RecordingExchange.of(Exchange.Kind.LISTEN).withHeader(SESSION, session));
            bench.time.advance(ClientBench.KEEP_ALIVE);
            var ping = (Request) listening.offered().get(0);
            var pong = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}"
                    .formatted(ping.id().raw());

            hand(http, RecordingExchange.of(pong).withHeader(SESSION, session));
            bench.time.advance(ClientBench.KEEP_ALIVE.minusMillis(1));

            assertThat(bench.clients.registry()).hasSize(1);
            assertThat(listening.isEnded()).isFalse();
        }

        @Test
        void listeningClientThatDoesNotAnswerIsDisconnected() {
            var listening =
                    hand(http, RecordingExchange.of(Exchange.Kind.LISTEN).withHeader(SESSION, session));

            bench.time.advance(ClientBench.KEEP_ALIVE.multipliedBy(2));

            assertThat(bench.clients.registry()).isEmpty();
            assertThat(listening.isEnded()).isTrue();
        }
    }
}
