package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages between a client and the daemons behind {@code connect}. */
@Timeout(60)
class RelayTest {
    private final RelayFixture relay = new RelayFixture(new ReconnectPolicy(20, Duration.ofMillis(1)));

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void handshakeIsForwardedWithTheClientId() {
        var answer = answer(relay.send(RelayFixture.INITIALIZE));

        assertThat(answer).contains("\"id\":\"i\"", "\"protocolVersion\":\"2025-06-18\"");
        assertThat(received(Methods.INITIALIZE))
                .containsExactly(RelayFixture.INITIALIZE.replace(
                        "\"version\":\"9\"}}", "\"version\":\"9\"},\"_meta\":{\"io.mcpbridge/clientId\":\"desk\"}}"));
    }

    @Test
    void requestOfAnyRevisionIsForwardedUnchanged() {
        var json =
                "{\"jsonrpc\":\"2.0\",\"id\":1.0e1,\"method\":\"x/y\",\"params\":{\"n\":1.50,\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}"
                        .replace("1.0e1", "10");
        var asked = relay.send(json);

        relay.daemon.answer(relay.daemon.awaitRequest(), "{\"resultType\":\"complete\"}");

        assertThat(answer(asked)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":10,\"result\":{\"resultType\":\"complete\"}}");
        assertThat(received("x/y")).containsExactly(json);
    }

    @Test
    void idInUseIsRejectedAndTheFirstRequestIsUnaffected() {
        var first = relay.request("1", "tools/call", "{\"name\":\"a\"}");
        var request = relay.daemon.awaitRequest();

        assertThat(answer(relay.request("1", "tools/call", "{\"name\":\"b\"}")))
                .contains("-32600", "the id 1 is in use");

        relay.daemon.answer(request, "{}");
        assertThat(answer(first)).contains("\"result\"");
    }

    @Test
    void cancelledRequestEndsForTheClientAndTheDaemon() {
        var asked = relay.request("1", "tools/call", "{\"name\":\"a\"}");
        relay.daemon.awaitRequest();

        relay.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");

        assertThat(asked.answer()).isEmpty();
        assertThat(relay.daemon.awaitNotification().json()).contains("\"requestId\":1");
    }

    @Nested
    class WhenTheDaemonIsLost {
        @Test
        void sessionStateIsRestoredWithTheNextDaemon() {
            initialize();
            settle("logging/setLevel", "{\"level\":\"warning\"}");
            settle("resources/subscribe", "{\"uri\":\"a:1\"}");
            settle("resources/subscribe", "{\"uri\":\"a:2\"}");
            settle("resources/unsubscribe", "{\"uri\":\"a:1\"}");
            var before = relay.daemon.received().size();
            relay.daemon.on(Methods.LOGGING_SET_LEVEL, "{}").on(Methods.RESOURCES_SUBSCRIBE, "{}");

            relay.daemon.cut();

            Eventually.holds("the change notifications", () -> relay.offered().size() == 3);
            var again = relay.daemon.received();
            assertThat(again.subList(before, again.size()))
                    .extracting(Message::json)
                    .satisfiesExactly(
                            initialize -> assertThat(initialize).contains("a desktop", "\"desk\"", "\"processId\":7"),
                            initialized -> assertThat(initialized).contains("notifications/initialized"),
                            level -> assertThat(level).contains("logging/setLevel", "warning"),
                            subscription -> assertThat(subscription).contains("resources/subscribe", "a:2"));
            assertThat(relay.offered()).anySatisfy(line -> assertThat(line).contains("tools/list_changed"));
            assertThat(relay.offered()).anySatisfy(line -> assertThat(line).contains("resources/list_changed"));
            assertThat(relay.offered()).anySatisfy(line -> assertThat(line).contains("resources/updated", "a:2"));
        }

        @Test
        void callThatMayHaveRunIsInDoubtAndNotRetried() {
            initialize();
            var asked = relay.request("1", "tools/call", "{\"name\":\"a\"}");
            relay.daemon.awaitRequest();

            relay.daemon.cut();

            assertThat(answer(asked)).contains("-31005", "\"delivery\":\"unknown\"", "\"retryable\":false");
            assertThat(received(Methods.TOOLS_CALL)).hasSize(1);
        }

        @Test
        void listRequestIsRetried() {
            initialize();
            var asked = relay.request("1", "tools/list", "{}");
            relay.daemon.awaitRequest();
            relay.daemon.cut();

            relay.daemon.answer(relay.daemon.awaitRequest(), "{\"tools\":[]}");

            assertThat(answer(asked)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}");
        }

        @Test
        void messagesDuringAReconnectAreQueuedInOrder() {
            initialize();
            relay.isAbsent = true;
            relay.daemon.cut();
            Eventually.holds("a failed attempt", () -> relay.connects.get() > 1);
            var one = relay.request("1", "tools/call", "{\"name\":\"one\"}");
            relay.request("2", "tools/call", "{\"name\":\"two\"}");
            relay.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");

            relay.isAbsent = false;

            var request = relay.daemon.awaitRequest();
            assertThat(request.json()).contains("one");
            relay.daemon.answer(request, "{}");
            assertThat(answer(one)).contains("\"result\"");
            assertThat(received(Methods.TOOLS_CALL)).hasSize(1);
        }

        @Test
        void callsFailAfterTheLastAttempt() {
            try (var hasty = new RelayFixture(new ReconnectPolicy(2, Duration.ofMillis(1)))) {
                hasty.isAbsent = true;

                var asked = hasty.request("1", "tools/call", "{\"name\":\"one\"}");

                assertThat(answer(asked)).contains("-31002", "\"delivery\":\"not_sent\"");
                assertThat(hasty.connects).hasValue(2);
                hasty.isAbsent = false;
                var later = hasty.request("2", "tools/call", "{\"name\":\"two\"}");
                hasty.daemon.answer(hasty.daemon.awaitRequest(), "{}");
                assertThat(answer(later)).contains("\"result\"");
            }
        }
    }

    @Nested
    class ServerRequests {
        @Test
        void responseReachesTheRequestingDaemon() {
            initialize();
            relay.daemon.send(Request.of(MessageId.of("bridge-1"), Methods.ROOTS_LIST));
            Eventually.holds("the server request", () -> relay.offered().size() == 1);

            relay.send("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"result\":{\"roots\":[]}}");

            Eventually.holds(
                    "the answer",
                    () -> received().contains("{\"jsonrpc\":\"2.0\",\"id\":\"bridge-1\",\"result\":{\"roots\":[]}}"));
        }

        @Test
        void lateResponseNeverReachesTheNextDaemon() {
            initialize();
            relay.daemon.send(Request.of(MessageId.of("bridge-1"), Methods.ROOTS_LIST));
            Eventually.holds("the server request", () -> relay.offered().size() == 1);
            relay.daemon.cut();
            Eventually.holds(
                    "the cancellation",
                    () -> relay.offered().stream().anyMatch(line -> line.contains("\"requestId\":\"ask-1\"")));

            relay.send("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"result\":{\"roots\":[]}}");

            settle("tools/call", "{\"name\":\"a\"}");
            assertThat(relay.daemon.received()).noneMatch(message -> message instanceof Response);
        }

        @Test
        void cancellationNamesTheRequestByTheClientsId() {
            initialize();
            relay.daemon.send(Request.of(MessageId.of(5), Methods.ROOTS_LIST));
            relay.daemon.send(Notification.of(Methods.CANCELLED, "{\"requestId\":5,\"reason\":\"late\"}"));

            Eventually.holds(
                    "the cancellation",
                    () -> relay.offered()
                            .contains(
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"ask-1\",\"reason\":\"late\"}}"));
        }
    }

    private void initialize() {
        answer(relay.send(RelayFixture.INITIALIZE));
    }

    /** Sends a request that the daemon answers. */
    private void settle(String method, String params) {
        var asked = relay.request("\"s\"", method, params);
        relay.daemon.answer(relay.daemon.awaitRequest(), "{}");
        answer(asked);
    }

    private static String answer(RelayFixture.Sent exchange) {
        Eventually.holds("an answer", exchange::isEnded);
        return exchange.answer();
    }

    private List<String> received() {
        return relay.daemon.received().stream().map(Message::json).toList();
    }

    private List<String> received(String method) {
        return received().stream()
                .filter(json -> json.contains("\"" + method + "\""))
                .toList();
    }
}
