package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingExchange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What passes between a client and the daemons behind {@code connect}. */
@Timeout(60)
class RelayTest {
    private final Bench bench = new Bench(new Patience(20, Duration.ofMillis(1)));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void handshakeGoesThroughAsItCameWithTheClientsId() {
        var answer = answer(bench.say(Bench.INITIALIZE));

        assertThat(answer).contains("\"id\":\"i\"", "\"protocolVersion\":\"2025-06-18\"");
        assertThat(received(Methods.INITIALIZE))
                .containsExactly(Bench.INITIALIZE.replace(
                        "\"version\":\"9\"}}", "\"version\":\"9\"},\"_meta\":{\"io.mcpbridge/clientId\":\"desk\"}}"));
    }

    @Test
    void requestOfAnyRevisionPassesUnchanged() {
        var json =
                "{\"jsonrpc\":\"2.0\",\"id\":1.0e1,\"method\":\"x/y\",\"params\":{\"n\":1.50,\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}"
                        .replace("1.0e1", "10");
        var asked = bench.say(json);

        bench.daemon.answer(bench.daemon.awaitRequest(), "{\"resultType\":\"complete\"}");

        assertThat(answer(asked)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":10,\"result\":{\"resultType\":\"complete\"}}");
        assertThat(received("x/y")).containsExactly(json);
    }

    @Test
    void secondRequestWithAnIdInUseIsRefusedAndTheFirstUnharmed() {
        var first = bench.ask("1", "tools/call", "{\"name\":\"a\"}");
        var request = bench.daemon.awaitRequest();

        assertThat(answer(bench.ask("1", "tools/call", "{\"name\":\"b\"}"))).contains("-32600", "the id 1 is in use");

        bench.daemon.answer(request, "{}");
        assertThat(answer(first)).contains("\"result\"");
    }

    @Test
    void cancelledRequestIsOverForTheClientAndTheDaemon() {
        var asked = bench.ask("1", "tools/call", "{\"name\":\"a\"}");
        bench.daemon.awaitRequest();

        bench.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");

        assertThat(asked.answer()).isEmpty();
        assertThat(bench.daemon.awaitNotification().json()).contains("\"requestId\":1");
    }

    @Nested
    class WhenTheDaemonIsLost {
        @Test
        void anotherIsToldWhatTheFirstKnew() {
            greet();
            settle("logging/setLevel", "{\"level\":\"warning\"}");
            settle("resources/subscribe", "{\"uri\":\"a:1\"}");
            settle("resources/subscribe", "{\"uri\":\"a:2\"}");
            settle("resources/unsubscribe", "{\"uri\":\"a:1\"}");
            var before = bench.daemon.received().size();
            bench.daemon.on(Methods.LOGGING_SET_LEVEL, "{}").on(Methods.RESOURCES_SUBSCRIBE, "{}");

            bench.daemon.cut();

            Eventually.holds("the news", () -> bench.told().size() == 3);
            var again = bench.daemon.received();
            assertThat(again.subList(before, again.size()))
                    .extracting(Message::json)
                    .satisfiesExactly(
                            initialize -> assertThat(initialize).contains("a desktop", "\"desk\"", "\"processId\":7"),
                            initialized -> assertThat(initialized).contains("notifications/initialized"),
                            level -> assertThat(level).contains("logging/setLevel", "warning"),
                            subscription -> assertThat(subscription).contains("resources/subscribe", "a:2"));
            assertThat(bench.told()).anySatisfy(line -> assertThat(line).contains("tools/list_changed"));
            assertThat(bench.told()).anySatisfy(line -> assertThat(line).contains("resources/list_changed"));
            assertThat(bench.told()).anySatisfy(line -> assertThat(line).contains("resources/updated", "a:2"));
        }

        @Test
        void callThatMayHaveRunIsInDoubtAndNotRepeated() {
            greet();
            var asked = bench.ask("1", "tools/call", "{\"name\":\"a\"}");
            bench.daemon.awaitRequest();

            bench.daemon.cut();

            assertThat(answer(asked)).contains("-31005", "\"delivery\":\"unknown\"", "\"retryable\":false");
            assertThat(received(Methods.TOOLS_CALL)).hasSize(1);
        }

        @Test
        void listIsAskedForOnceMore() {
            greet();
            var asked = bench.ask("1", "tools/list", "{}");
            bench.daemon.awaitRequest();
            bench.daemon.cut();

            bench.daemon.answer(bench.daemon.awaitRequest(), "{\"tools\":[]}");

            assertThat(answer(asked)).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}");
        }

        @Test
        void whatComesMeanwhileWaitsInOrder() {
            greet();
            bench.isAbsent = true;
            bench.daemon.cut();
            Eventually.holds("a try in vain", () -> bench.dials.get() > 1);
            var one = bench.ask("1", "tools/call", "{\"name\":\"one\"}");
            bench.ask("2", "tools/call", "{\"name\":\"two\"}");
            bench.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");

            bench.isAbsent = false;

            var request = bench.daemon.awaitRequest();
            assertThat(request.json()).contains("one");
            bench.daemon.answer(request, "{}");
            assertThat(answer(one)).contains("\"result\"");
            assertThat(received(Methods.TOOLS_CALL)).hasSize(1);
        }

        @Test
        void callsFailWhenNoneComesInTime() {
            try (var hasty = new Bench(new Patience(2, Duration.ofMillis(1)))) {
                hasty.isAbsent = true;

                var asked = hasty.ask("1", "tools/call", "{\"name\":\"one\"}");

                assertThat(answer(asked)).contains("-31002", "\"delivery\":\"not_sent\"");
                assertThat(hasty.dials).hasValue(2);
                hasty.isAbsent = false;
                var later = hasty.ask("2", "tools/call", "{\"name\":\"two\"}");
                hasty.daemon.answer(hasty.daemon.awaitRequest(), "{}");
                assertThat(answer(later)).contains("\"result\"");
            }
        }
    }

    @Nested
    class Questions {
        @Test
        void answerReachesTheDaemonThatAsked() {
            greet();
            bench.daemon.send(Request.of(MessageId.of("bridge-1"), Methods.ROOTS_LIST));
            Eventually.holds("the question", () -> bench.told().size() == 1);

            bench.say("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"result\":{\"roots\":[]}}");

            Eventually.holds(
                    "the answer",
                    () -> received().contains("{\"jsonrpc\":\"2.0\",\"id\":\"bridge-1\",\"result\":{\"roots\":[]}}"));
        }

        @Test
        void lateAnswerNeverReachesTheNextDaemon() {
            greet();
            bench.daemon.send(Request.of(MessageId.of("bridge-1"), Methods.ROOTS_LIST));
            Eventually.holds("the question", () -> bench.told().size() == 1);
            bench.daemon.cut();
            Eventually.holds(
                    "the withdrawal",
                    () -> bench.told().stream().anyMatch(line -> line.contains("\"requestId\":\"ask-1\"")));

            bench.say("{\"jsonrpc\":\"2.0\",\"id\":\"ask-1\",\"result\":{\"roots\":[]}}");

            settle("tools/call", "{\"name\":\"a\"}");
            assertThat(bench.daemon.received()).noneMatch(message -> message instanceof Response);
        }

        @Test
        void withdrawalNamesTheQuestionAsTheClientKnowsIt() {
            greet();
            bench.daemon.send(Request.of(MessageId.of(5), Methods.ROOTS_LIST));
            bench.daemon.send(Notification.of(Methods.CANCELLED, "{\"requestId\":5,\"reason\":\"late\"}"));

            Eventually.holds(
                    "the withdrawal",
                    () -> bench.told()
                            .contains(
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"ask-1\",\"reason\":\"late\"}}"));
        }
    }

    private void greet() {
        answer(bench.say(Bench.INITIALIZE));
    }

    /** Asks, and lets the daemon agree. */
    private void settle(String method, String params) {
        var asked = bench.ask("\"s\"", method, params);
        bench.daemon.answer(bench.daemon.awaitRequest(), "{}");
        answer(asked);
    }

    private static String answer(RecordingExchange exchange) {
        Eventually.holds("an answer", exchange::isEnded);
        return exchange.answer();
    }

    private List<String> received() {
        return bench.daemon.received().stream().map(Message::json).toList();
    }

    private List<String> received(String method) {
        return received().stream()
                .filter(json -> json.contains("\"" + method + "\""))
                .toList();
    }
}
