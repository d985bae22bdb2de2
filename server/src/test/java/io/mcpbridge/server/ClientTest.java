package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages and requests of a tool to its client, and the cancellations it receives. */
@Timeout(60)
class ClientTest {
    private static final Json FORM =
            Json.parse("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}");

    private static ServeBench asking() {
        return new ServeBench().with("ask", call -> {
            var answer = call.client().elicit("What is your name?", FORM);
            return answer.isAccepted() ? "Hello, " + answer.content().get("name") : answer.action();
        });
    }

    private static String idOf(String question) {
        return String.valueOf(Json.parse(question).asMap().get("id"));
    }

    private static void answer(ServedClient client, String question, String result) throws IOException {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":%s}".formatted(idOf(question), result));
    }

    @Test
    void legacyClientReceivesAnElicitation() throws Exception {
        try (var bench = asking()) {
            var client = bench.legacy();
            client.beginCall("ask", "{}");

            var question = client.receive();
            assertThat(question)
                    .contains("elicitation/create", "What is your name?", "\"requestedSchema\":" + FORM.text());
            answer(client, question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");

            assertThat(ServedClient.envelope(client.receive())).contains("Hello, Ada");
        }
    }

    @Test
    void userMayDecline() throws Exception {
        try (var bench = asking()) {
            var client = bench.legacy();
            client.beginCall("ask", "{}");

            answer(client, client.receive(), "{\"action\":\"decline\"}");

            assertThat(ServedClient.envelope(client.receive())).contains("\"data\":\"decline\"");
        }
    }

    @Test
    void modernClientReceivesAnElicitationInAnotherRound() throws Exception {
        try (var bench = asking()) {
            var client = bench.modern();

            var asked = client.call("ask", "{}");
            assertThat(asked).contains("\"resultType\":\"input_required\"", "What is your name?");
            var again = modernAnswer(client, asked, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}");

            assertThat(again).contains("\"resultType\":\"complete\"").contains("Hello, Ada");
            assertThat(bench.records()).hasSize(2);
        }
    }

    private static String modernAnswer(ServedClient client, String asked, String answer) throws IOException {
        var result = (Map<?, ?>)
                java.util.Objects.requireNonNull(Json.parse(asked).asMap().get("result"));
        var key = ((Map<?, ?>) java.util.Objects.requireNonNull(result.get("inputRequests")))
                .keySet()
                .iterator()
                .next();
        return client.ask(
                "tools/call",
                "\"name\":\"ask\",\"arguments\":{},\"requestState\":\"%s\",\"inputResponses\":{\"%s\":%s}"
                        .formatted(result.get("requestState"), key, answer));
    }

    @Test
    void samplingAndRootsWorkLikeElicitation() throws Exception {
        try (var bench = new ServeBench()
                .with(
                        "sample",
                        call -> call.client()
                                .sample(Json.parse("{\"messages\":[],\"maxTokens\":5}"))
                                .model())
                .with("roots", call -> call.client().listRoots())) {
            var client = bench.legacy();

            client.beginCall("sample", "{}");
            var question = client.receive();
            assertThat(question).contains("sampling/createMessage", "\"maxTokens\":5");
            answer(client, question, "{\"role\":\"assistant\",\"content\":{},\"model\":\"m\"}");
            assertThat(ServedClient.envelope(client.receive())).contains("\"data\":\"m\"");

            client.beginCall("roots", "{}");
            answer(client, client.receive(), "{\"roots\":[{\"uri\":\"file:///a\"}]}");
            assertThat(ServedClient.envelope(client.receive())).contains("file:///a");
        }
    }

    @Test
    void rootThatIsNotAUriFailsTheRequest() throws Exception {
        try (var bench = new ServeBench().with("roots", call -> call.client().listRoots())) {
            var client = bench.legacy();
            client.beginCall("roots", "{}");
            answer(client, client.receive(), "{\"roots\":[{\"uri\":\"no uri\"}]}");

            assertThat(ServedClient.envelope(client.receive()))
                    .contains("the client answered 'roots/list' with 'no uri', which is not a URI");
        }
    }

    @Test
    void clientWithoutTheCapabilityFailsTheRequest() throws Exception {
        try (var bench = asking()) {
            bench.server().start();
            var legacy = ServedClient.legacy(bench.listener.connect(), "{}");
            var modern = ServedClient.modern(bench.listener.connect(), "{}", "");

            assertThat(legacy.envelope("ask", "{}")).contains("HANDLER_ERROR", "cannot be asked 'elicitation/create'");
            assertThat(modern.call("ask", "{}")).contains("-32021", "requiredCapabilities");
        }
    }

    @Test
    void clientErrorFailsTheRequest() throws Exception {
        try (var bench = asking()) {
            var client = bench.legacy();
            client.beginCall("ask", "{}");

            var id = idOf(client.receive());
            client.send("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"error\":{\"code\":-1,\"message\":\"not now\"}}"
                    .formatted(id));

            assertThat(ServedClient.envelope(client.receive()))
                    .contains("the client refused 'elicitation/create'", "not now");
        }
    }

    @Test
    void deadlineIsPausedDuringAClientRequest() throws Exception {
        var left = new CopyOnWriteArrayList<Duration>();
        var time = new FakeTimekeeper();
        try (var bench = new ServeBench(time)) {
            bench.options.callTimeout(Duration.ofSeconds(10));
            bench.with("ask", call -> {
                var action = call.client().elicit("?", FORM).action();
                left.add(call.remaining());
                return action;
            });
            var client = bench.legacy();
            client.beginCall("ask", "{}");
            var question = client.receive();

            time.advance(Duration.ofSeconds(20));
            answer(client, question, "{\"action\":\"cancel\"}");

            assertThat(ServedClient.envelope(client.receive())).contains("\"data\":\"cancel\"");
            assertThat(left).containsExactly(Duration.ofSeconds(10));
        }
    }

    @Test
    void unansweredRequestTimesOutAfterTenMinutes() {
        var time = new FakeTimekeeper();
        var withdrawn = new CopyOnWriteArrayList<CancelReason>();
        Handler silent = (question, reply) -> {
            question.cancellation().onCancel(withdrawn::add);
            reply.event(Notification.of(Methods.LOG_MESSAGE));
            time.advance(CallingClient.ANSWER_TIMEOUT);
        };
        var call = Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL),
                Caller.ANONYMOUS.withClient(silent),
                "id",
                Deadline.after(Duration.ofSeconds(10), time));

        assertThatThrownBy(() ->
                        new CallingClient("ask", call, new RecordingReply(), time).request(Methods.ROOTS_LIST, "{}"))
                .isInstanceOf(CallTimedOutException.class)
                .hasMessage("the client did not answer 'roots/list' within 600 s");

        assertThat(withdrawn).containsExactly(CancelReason.CALL_ENDED);
        assertThat(time.pendingAlarms()).isZero();
        assertThat(call.deadline().remaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void clientRequestIsCancelledWithItsCall() throws Exception {
        var failed = new CountDownLatch(1);
        try (var bench = new ServeBench().with("ask", call -> {
            try {
                return call.client().elicit("?", FORM).action();
            } catch (CallException | InterruptedException ended) {
                failed.countDown();
                throw ended;
            }
        })) {
            var client = bench.legacy();
            var id = client.beginCall("ask", "{}");
            client.receive();

            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
                    .formatted(id));

            failed.await();
            assertThat(client.receive()).contains("notifications/cancelled");
        }
    }

    @Test
    void progressReachesTheClientThatRequestedIt() throws Exception {
        try (var bench = new ServeBench().with("count", call -> {
            call.client().progress(1);
            call.client().progress(2, 4);
            call.client().progress(3, 4, "nearly");
            return "done";
        })) {
            var client = bench.legacy();
            client.begin("tools/call", "\"name\":\"count\",\"_meta\":{\"progressToken\":\"t\"}");

            assertThat(client.receive())
                    .contains("notifications/progress", "\"progressToken\":\"t\"", "\"progress\":1.0");
            assertThat(client.receive()).contains("\"progress\":2.0", "\"total\":4.0");
            assertThat(client.receive()).contains("\"message\":\"nearly\"");
            assertThat(client.receive()).contains("done");
            assertThat(client.call("count", "{}")).contains("done");
        }
    }

    @Test
    void logMessagesReachTheClientThatRequestedThem() throws Exception {
        try (var bench = new ServeBench().with("speak", call -> {
            call.client().log(LogLevel.DEBUG, "a detail");
            call.client().log(LogLevel.ERROR, Map.of("it", "burns"));
            return "done";
        })) {
            var legacy = bench.legacy();
            legacy.ask("logging/setLevel", "\"level\":\"error\"");
            legacy.beginCall("speak", "{}");
            assertThat(legacy.receive())
                    .contains("notifications/message", "\"logger\":\"speak\"", "\"data\":{\"it\":\"burns\"}");
            assertThat(legacy.receive()).contains("done");

            var modern = ServedClient.modern(
                    bench.listener.connect(), "{}", ",\"io.modelcontextprotocol/logLevel\":\"debug\"");
            modern.beginCall("speak", "{}");
            assertThat(modern.receive()).contains("a detail");
            assertThat(modern.receive()).contains("burns");
            assertThat(modern.receive()).contains("done");
            assertThat(ServedClient.modern(bench.listener.connect()).call("speak", "{}"))
                    .contains("done");
        }
    }

    @Test
    void toolSeesItsCallerAndItsCancellation() throws Exception {
        var seen = new CompletableFuture<ToolCall>();
        var begun = new CountDownLatch(1);
        var reasons = new CopyOnWriteArrayList<String>();
        try (var bench = new ServeBench().with("slow", call -> {
            seen.complete(call);
            call.onCancel(reason -> reasons.add(reason.text()));
            begun.countDown();
            new CountDownLatch(1).await();
            return null;
        })) {
            var client = bench.legacy();
            client.beginCall("slow", "{\"a\":1}");
            begun.await();
            var call = seen.join();
            assertThat(call.isCancelled()).isFalse();
            assertThat(call.tool()).isEqualTo("slow");
            assertThat(call.arguments()).containsEntry("a", 1L);
            assertThat(call.caller().info()).contains("\"name\":\"c\"");

            client.leave();

            Eventually.holds("the word that the client has left", () -> !reasons.isEmpty());
            assertThat(reasons).containsExactly("the client disconnected");
            assertThat(call.isCancelled()).isTrue();
        }
    }
}
