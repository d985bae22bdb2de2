package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.call;
import static io.mcpbridge.engine.ClientBench.callJson;
import static io.mcpbridge.engine.ClientBench.listen;
import static io.mcpbridge.engine.ClientBench.say;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client on a byte stream: its handshake, its calls, and the messages and requests that it receives. */
class StreamClientTest {
    private final ClientBench bench = new ClientBench();

    @Nested
    class Initialize {
        @Test
        void initializeReturnsTheClientsVersionAndTheServerInfo() {
            var answer = say(bench.stream(), ClientBench.INITIALIZE).answer();

            assertThat(answer)
                    .contains(
                            "\"id\":0",
                            "\"protocolVersion\":\"2025-06-18\"",
                            "\"name\":\"mcp-bridge-server\"",
                            "\"protocols\":[\"mcp/1.0\"]",
                            "\"supportsMessageRouting\":true");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"processId\":4711} | {\"supportsMessageRouting\":true,\"io.mcpbridge\":",
                    "{\"clientInfo\":{\"protocols\":[\"mcp/1.0\"]}} | {\"supportsMessageRouting\":true,\"io.mcpbridge\":",
                    "{\"clientInfo\":{\"name\":\"strict\"}} | {\"io.mcpbridge\":"
                })
        void onlyOurOwnClientsGetABareTrueUnderExperimental(String params, String experimental) {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":%s}".formatted(params);

            assertThat(say(bench.stream(), json).answer())
                    .contains("\"experimental\":" + experimental + "{\"supportsMessageRouting\":true}");
        }

        static Stream<Arguments> revisions() {
            return Stream.of(
                    Arguments.argumentSet("none is the first one", "{}", "2024-11-05"),
                    Arguments.argumentSet("an unknown one", "{\"protocolVersion\":\"1999-01-01\"}", "2025-11-25"),
                    Arguments.argumentSet("a modern one", "{\"protocolVersion\":\"2026-07-28\"}", "2025-11-25"),
                    Arguments.argumentSet("a number", "{\"protocolVersion\":5}", "2025-11-25"),
                    Arguments.argumentSet("an old one", "{\"protocolVersion\":\"2025-03-26\"}", "2025-03-26"));
        }

        @ParameterizedTest
        @MethodSource("revisions")
        void initializeNegotiatesALegacyVersion(String params, String agreed) {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":%s}".formatted(params);

            assertThat(say(bench.stream(), json).answer()).contains("\"protocolVersion\":\"" + agreed + "\"");
        }

        @Test
        void initializeRecordsTheClientInfo() {
            var json = """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":4711,"_meta":\
                    {"io.mcpbridge/clientId":"desk"},"clientInfo":{"name":"n","version":"v","protocols":["mcp/1.0",7]}}}""";

            say(bench.stream(), json);

            var record = bench.registry().get(0);
            assertThat(record.processId()).isEqualTo("4711");
            assertThat(record.clientId()).isEqualTo("desk");
            assertThat(record.protocols()).containsExactly("mcp/1.0");
            assertThat(record.protocol()).isEqualTo("2024-11-05");
            assertThat(record.name()).isEqualTo("n");
        }

        @Test
        void secondInitializeIsRejectedAndHarmless() {
            var stream = bench.greeted();
            var call = call(stream, "1");

            assertThat(say(stream, ClientBench.INITIALIZE).answer()).contains("-32600", "initialized already");
            bench.answer(0, "{}");

            assertThat(call.answer()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        }

        @ParameterizedTest
        @ValueSource(strings = {"tools/call", "tools/list", "logging/setLevel", "server/discover"})
        void requestBeforeInitializeIsRejected(String method) {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"}".formatted(method);

            assertThat(say(bench.stream(), json).answer()).contains("-32600", method, "before 'initialize'");
            assertThat(bench.calls).isEmpty();
        }

        @Test
        void initializeWithoutAParamsObjectIsRejected() {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":[]}";

            assertThat(say(bench.stream(), json).answer()).contains("-32602", "'params' to be an object");
        }

        @Test
        void pingNeedsNoInitialize() {
            var answer = say(bench.stream(), "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");

            assertThat(answer.answer()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}");
        }
    }

    @Nested
    class Calls {
        private final Intake stream = bench.greeted();

        @ParameterizedTest
        @ValueSource(strings = {"1", "\"1\"", "\"\\u0061\"", "-5", "9007199254740993"})
        void responseHasTheRequestIdByteForByte(String id) {
            var call = call(stream, id);

            bench.answer(0, "{\"x\":1.50}");

            assertThat(call.answer())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"x\":1.50}}".formatted(id));
        }

        @Test
        void idInUseIsRejectedAndTheFirstCallIsUnaffected() {
            var first = call(stream, "1");
            var second = call(stream, "1");

            assertThat(second.ending().status()).isEqualTo(400);
            assertThat(second.answer()).contains("-32600", "the id 1 is in use");
            bench.answer(0, "{}");
            assertThat(first.answer()).contains("\"result\"");
        }

        @Test
        void idMayBeReusedAfterTheAnswer() {
            for (int i = 0; i < 1_000; i++) {
                var call = call(stream, "1");
                bench.answer(i, "{}");
                assertThat(call.answer()).contains("\"result\"");
            }
        }

        @Test
        void numericAndTextIdsAreDistinct() {
            var number = call(stream, "1");
            var text = call(stream, "\"1\"");

            bench.answer(1, "{}");

            assertThat(text.answer()).contains("\"id\":\"1\"");
            assertThat(number.isEnded()).isFalse();
        }

        @Test
        void callBeyondTheLimitIsRejectedUntilAnotherEnds() {
            for (int i = 0; i < 3; i++) {
                call(stream, String.valueOf(i));
            }
            assertThat(call(stream, "9").answer()).contains("-31006", "3 calls", "'limits.in-flight'");

            bench.answer(0, "{}");

            assertThat(call(stream, "9").isEnded()).isFalse();
        }

        @Test
        void cancelledCallGetsNoAnswer() {
            var call = call(stream, "1");

            say(stream, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
            bench.replies.get(0).complete(Outcome.failed(Failure.of(ErrorCode.CANCELLED, "cancelled")));

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_CANCELLED);
            assertThat(call.answer()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"2", "\"1\"", "null", "{}"})
        void cancellationWithAnotherIdIsIgnored(String id) {
            call(stream, "1");

            say(
                    stream,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}"
                            .formatted(id));

            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
        }

        @Test
        void callOfAnotherClientCannotBeCancelled() {
            call(stream, "1");
            var other = bench.greeted();

            var exchange = say(
                    other, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");

            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
            assertThat(exchange.answer()).isEmpty();
        }

        @Test
        void disconnectedClientCancelsItsCalls() {
            call(stream, "1");

            stream.closed();

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_GONE);
            assertThat(bench.registry()).isEmpty();
        }

        @Test
        void secondOutcomeOfACallIsIgnored() {
            var call = call(stream, "1");

            bench.answer(0, "{}");
            bench.answer(0, "{}");

            assertThat(call.endings()).hasSize(1);
            assertThat(bench.clients.callsInFlight()).isZero();
        }

        @Test
        void errorOfACallHasCodeServerAttemptsAndCorrelationId() {
            var call = call(stream, "1");

            bench.replies
                    .get(0)
                    .complete(Outcome.failed(
                            Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "down").withServer("a")));

            assertThat(call.answer())
                    .contains(
                            "\"code\":-31002",
                            "\"origin\":\"mcp-bridge\"",
                            "\"reason\":\"provider_unavailable\"",
                            "\"delivery\":\"not_sent\"",
                            "\"retryable\":true",
                            "\"server\":\"a\"",
                            "\"attempts\":1",
                            "\"correlationId\":\"" + bench.calls.get(0).correlationId() + "\"");
        }
    }

    @Nested
    class Progress {
        private final Intake stream = bench.greeted();

        @Test
        void progressHasTheClientsTokenAndIsMonotonic() {
            var call = say(
                    stream,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a__b\",\"_meta\":{\"progressToken\":\"t\"}}}");

            Stream.of("1", "1", "0.5", "1.0", "2", "1e1")
                    .forEach(value -> bench.replies
                            .get(0)
                            .event(Notification.of(
                                    Methods.PROGRESS, "{\"progressToken\":77,\"progress\":%s}".formatted(value))));

            assertThat(call.offered().stream()
                            .map(message -> message.raw(io.mcpbridge.message.MessageField.PARAMS)
                                    .orElseThrow()))
                    .containsExactly(
                            "{\"progressToken\":\"t\",\"progress\":1}",
                            "{\"progressToken\":\"t\",\"progress\":2}",
                            "{\"progressToken\":\"t\",\"progress\":1e1}");
        }

        @Test
        void eventAfterTheAnswerIsDropped() {
            var call = call(stream, "1");
            bench.answer(0, "{}");

            bench.replies.get(0).event(Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"error\",\"data\":1}"));

            assertThat(call.offered()).isEmpty();
        }
    }

    @Nested
    class LogLevels {
        private final Intake stream = bench.greeted();

        @Test
        void logMessagesBelowTheLevelAreDropped() {
            var set = say(
                    stream,
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warning\"}}");
            var call = call(stream, "1");

            Stream.of("debug", "notice", "warning", "emergency")
                    .forEach(level -> bench.replies
                            .get(0)
                            .event(Notification.of(
                                    Methods.LOG_MESSAGE, "{\"level\":\"%s\",\"data\":1}".formatted(level))));

            assertThat(set.answer()).contains("\"result\":{}");
            assertThat(call.offered()).hasSize(2);
        }

        @Test
        void logMessagesBelowTheLevelAreDroppedOutsideCallsToo() {
            say(
                    stream,
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"warning\"}}");
            call(stream, "1");
            var listening = listen(stream);
            var sink = bench.calls.get(0).caller().notificationSink();

            Stream.of("debug", "error")
                    .forEach(level -> sink.send(
                            Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"%s\",\"data\":1}".formatted(level))));

            assertThat(listening.offered())
                    .singleElement()
                    .satisfies(only -> assertThat(only.json()).contains("\"error\""));
        }

        @Test
        void unknownLogLevelIsRejected() {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"loud\"}}";

            assertThat(say(stream, json).answer()).contains("-32602", "'loud'", "debug, info");
        }
    }

    @Nested
    class BeingAsked {
        private final Intake stream = bench.greeted();
        private final RecordingReply reply = new RecordingReply();

        @Test
        void serverRequestIsSentOnTheStreamOfTheCallAndAnswered() {
            var call = call(stream, "1");
            ask(Methods.ELICITATION_CREATE);

            var asked = (Request) call.offered().get(0);
            say(
                    stream,
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\"}}"
                            .formatted(asked.id().raw()));

            assertThat(asked.id()).isEqualTo(MessageId.of("bridge-1"));
            assertThat(reply.awaitAnswer().json()).contains("accept");
        }

        @Test
        void serverRequestWithoutTheCapabilityIsRejected() {
            call(stream, "1");

            ask(Methods.SAMPLING_CREATE_MESSAGE);

            assertThat(reply.awaitFailure().message()).contains("declared no capability");
        }

        @Test
        void serverRequestFailsWhenTheClientDisconnects() {
            call(stream, "1");
            ask(Methods.ELICITATION_CREATE);

            stream.closed();

            assertThat(reply.awaitFailure().message()).contains("disconnected");
            assertThat(reply.outcomes()).hasSize(1);
        }

        @Test
        void cancelledServerRequestIsCancelledAtTheClient() {
            var call = call(stream, "1");
            var question = ask(Methods.ELICITATION_CREATE);

            question.cancellation().cancel(CancelReason.CALL_ENDED);

            assertThat(call.offered().get(1).json()).contains("notifications/cancelled", "\"requestId\":\"bridge-1\"");
            assertThat(reply.outcomes()).hasSize(1);
        }

        @Test
        void serverRequestFailsIfThePeerDoesNotRead() {
            var call = call(stream, "1");
            call.offersReturn(Exchange.Offer.FULL);

            ask(Methods.ELICITATION_CREATE);

            assertThat(reply.awaitFailure().message()).contains("does not read");
        }

        private Call ask(String method) {
            var from = bench.calls.get(0);
            var request = Request.of(MessageId.of("server's"), method, "{}");
            var deadline = Deadline.after(Duration.ofMinutes(1), bench.time);
            var question = Call.of(request, from.caller(), from.correlationId(), deadline);
            from.caller().client().handle(question, reply);
            return question;
        }
    }

    @Nested
    class Many {
        @Test
        void sameIdsOfTwoClientsDoNotClash() {
            var one = bench.greeted();
            var two = bench.greeted();
            var first = call(one, "1");
            var second = call(two, "1");

            bench.answer(1, "\"two\"");
            bench.answer(0, "\"one\"");

            assertThat(first.answer()).contains("one");
            assertThat(second.answer()).contains("two");
        }

        @Test
        void connectionsAreLimitedPerPrincipal() {
            bench.stream();
            bench.stream();
            var peer = new Peer(Principal.ANONYMOUS, Shape.SHARED_STREAM, "unix", "here");

            assertThat(bench.clients.connected(peer)).isEmpty();
            assertThat(bench.log.lines())
                    .anyMatch(line -> line.contains("2 connections are the limit 'limits.connections'"));
        }

        @Test
        void clientsAreNotifiedOnTheirListeningStream() {
            var stream = bench.greeted();
            var listening = listen(stream);
            var early = listen(bench.stream());

            bench.clients.send(Notification.of(Methods.TOOLS_LIST_CHANGED));

            assertThat(listening.offered()).hasSize(1);
            assertThat(early.offered()).isEmpty();
        }

        @Test
        void closingTheBridgeEndsAllClients() {
            var stream = bench.greeted();
            listen(stream);
            ClientBench.say(stream, callJson("1"));

            bench.clients.close(CancelReason.SHUTTING_DOWN);

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.SHUTTING_DOWN);
            assertThat(bench.registry()).isEmpty();
        }
    }
}
