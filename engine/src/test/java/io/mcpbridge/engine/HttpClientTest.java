package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.hand;
import static io.mcpbridge.engine.ClientBench.say;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Clients over HTTP: their sessions are named, belong to one principal, and end when they are silent. */
class HttpClientTest {
    private static final String SESSION = "Mcp-Session-Id";
    private static final String VERSION = "MCP-Protocol-Version";

    private final ClientBench bench = new ClientBench();
    private final Intake http = bench.http();

    @Test
    void initializeReturnsTheSessionId() {
        var opened = say(http, ClientBench.INITIALIZE);

        assertThat(opened.ending().status()).isEqualTo(200);
        assertThat(opened.ending().headers().first(SESSION).orElseThrow()).matches("[0-9a-f]{32}");
    }

    @Test
    void rejectedInitializeOpensNoSession() {
        var refused = say(http, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":[]}");

        assertThat(refused.ending().status()).isEqualTo(400);
        assertThat(bench.clients.registry()).isEmpty();
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void requestWithoutASessionIsRejected() {
        var refused = say(http, ClientBench.callJson("1"));

        assertThat(refused.ending().status()).isEqualTo(400);
        assertThat(refused.answer()).contains("\"id\":1", "'Mcp-Session-Id' is missing");
    }

    @Test
    void unknownAndForeignSessionsGetTheSameError() {
        var session = open();
        var unknown = hand(http, call("1").withHeader(SESSION, "0".repeat(32)));
        var mallory = call("1").withHeader(SESSION, session).from(new Principal("mallory", "token"));

        var foreign = hand(http, mallory);

        assertThat(foreign.ending().status()).isEqualTo(404);
        assertThat(foreign.answer()).isEqualTo(unknown.answer());
        assertThat(bench.calls).isEmpty();
    }

    @Test
    void callInASessionIsAnswered() {
        var session = open();
        var call = hand(http, call("1").withHeader(SESSION, session).withHeader(VERSION, "2025-06-18"));

        bench.answer(0, "{}");

        assertThat(call.sessions()).containsExactly(session);
        assertThat(call.answer()).contains("\"id\":1", "\"result\"");
    }

    @Test
    void unsupportedProtocolVersionIsRejected() {
        var session = open();

        var refused = hand(http, call("1").withHeader(SESSION, session).withHeader(VERSION, "1999-01-01"));

        assertThat(refused.ending().status()).isEqualTo(400);
        assertThat(refused.answer()).contains("'1999-01-01'", "'2025-06-18'");
    }

    @Test
    void notificationIsAccepted() {
        var session = open();
        var json = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

        var taken = hand(http, RecordingExchange.of(json).withHeader(SESSION, session));

        assertThat(taken.ending().status()).isEqualTo(202);
    }

    @Test
    void disconnectedClientDoesNotCancelItsCall() {
        var session = open();
        var call = hand(http, call("1").withHeader(SESSION, session));

        call.abandon();

        assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
    }

    @Nested
    class Ends {
        @Test
        void deleteEndsTheSession() {
            var session = open();
            hand(http, call("1").withHeader(SESSION, session));

            var ended = hand(http, RecordingExchange.of(Exchange.Kind.END).withHeader(SESSION, session));

            assertThat(ended.ending().status()).isEqualTo(200);
            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_GONE);
            assertThat(hand(http, call("2").withHeader(SESSION, session))
                            .ending()
                            .status())
                    .isEqualTo(404);
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void idleTimeoutEndsTheSession() {
            open();

            bench.time.advance(Duration.ofMinutes(30));

            assertThat(bench.clients.registry()).isEmpty();
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void sessionInUseDoesNotTimeOut() {
            var session = open();
            bench.time.advance(Duration.ofMinutes(29));
            hand(http, ping().withHeader(SESSION, session));
            bench.time.advance(Duration.ofMinutes(29));

            assertThat(bench.clients.registry()).hasSize(1);
        }

        @Test
        void sessionWithAPendingCallDoesNotTimeOut() {
            var session = open();
            hand(http, call("1").withHeader(SESSION, session));

            bench.time.advance(Duration.ofMinutes(45));

            assertThat(bench.clients.registry()).hasSize(1);
        }

        @Test
        void sessionWithAnOpenStreamDoesNotTimeOut() {
            var session = open();
            var listening =
                    hand(http, RecordingExchange.of(Exchange.Kind.LISTEN).withHeader(SESSION, session));

            bench.time.advance(Duration.ofMinutes(45));
            assertThat(bench.clients.registry()).hasSize(1);
            listening.abandon();
            bench.time.advance(Duration.ofMinutes(30));

            assertThat(bench.clients.registry()).isEmpty();
        }

        @Test
        void closedListenerEndsItsSessions() {
            open();
            open();

            http.closed();

            assertThat(bench.clients.registry()).isEmpty();
            assertThat(bench.time.pendingAlarms()).isZero();
        }
    }

    @Nested
    class Flood {
        @Test
        @DisplayName("C15: a new session is rejected with 503 while all are in use")
        void newSessionIsRejectedWhileAllAreInUse() {
            hand(http, call("1").withHeader(SESSION, open()));
            hand(http, RecordingExchange.of(Exchange.Kind.LISTEN).withHeader(SESSION, open()));

            var refused = say(http, ClientBench.INITIALIZE);

            assertThat(refused.ending().status()).isEqualTo(503);
            assertThat(bench.clients.registry()).hasSize(2);
        }

        @Test
        @DisplayName("C15: a new session beyond the limit evicts the longest idle one")
        void newSessionEvictsTheLongestIdleOne() {
            var oldest = open();
            var second = open();
            hand(http, ping().withHeader(SESSION, oldest));

            var third = open();

            assertThat(status(second)).isEqualTo(404);
            assertThat(status(oldest)).isEqualTo(200);
            assertThat(status(third)).isEqualTo(200);
        }

        @Test
        @DisplayName("C15: a hundred thousand new sessions leave no more than the limit")
        void hundredThousandSessionsStayWithinTheLimit() {
            for (int i = 0; i < 100_000; i++) {
                open();
            }

            assertThat(bench.clients.registry()).hasSize(2);
            assertThat(bench.time.pendingAlarms()).isEqualTo(1);
        }

        @Test
        @DisplayName("C15: a flood of one user's sessions does not affect another user")
        void sessionFloodOfOneUserDoesNotAffectAnother() {
            var alice = new Principal("alice", "token");
            var hers = hand(http, RecordingExchange.of(ClientBench.INITIALIZE).from(alice))
                    .ending()
                    .headers()
                    .first(SESSION)
                    .orElseThrow();

            for (int i = 0; i < 10; i++) {
                open();
            }

            var ping = hand(http, ping().withHeader(SESSION, hers).from(alice));
            assertThat(ping.ending().status()).isEqualTo(200);
        }

        private int status(String session) {
            return hand(http, ping().withHeader(SESSION, session)).ending().status();
        }
    }

    @Test
    void batchesAreAcceptedInSessionsOfTheirRevisionOnly() {
        var newer = MessageHeaders.EMPTY.with(SESSION, open());
        var older = MessageHeaders.EMPTY.with(
                SESSION,
                say(http, ClientBench.INITIALIZE.replace("2025-06-18", "2025-03-26"))
                        .ending()
                        .headers()
                        .first(SESSION)
                        .orElseThrow());

        assertThat(http.takesBatches(older, Principal.ANONYMOUS)).isTrue();
        assertThat(http.takesBatches(newer, Principal.ANONYMOUS)).isFalse();
        assertThat(http.takesBatches(MessageHeaders.EMPTY, Principal.ANONYMOUS)).isFalse();
        assertThat(http.takesBatches(older, new Principal("mallory", "token"))).isFalse();
    }

    private String open() {
        return say(http, ClientBench.INITIALIZE)
                .ending()
                .headers()
                .first(SESSION)
                .orElseThrow();
    }

    private static RecordingExchange call(String id) {
        return RecordingExchange.of(ClientBench.callJson(id));
    }

    private static RecordingExchange ping() {
        return RecordingExchange.of("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
    }
}
