package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The records of the calls that a daemon forwards. */
@Timeout(60)
class AuditTest {
    private static final String ASK =
            "{\"name\":\"one__ask\",%s\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}}}}}";

    @RegisterExtension
    final AuditFixture bench = new AuditFixture();

    private final ToolScript script = bench.script;
    private final RecordingAuditSink sink = bench.sink;

    @Test
    void callHasOnePairOfRecords() throws IOException {
        var client = bench.started("");
        client.toolNames();

        client.call("one__echo", "{\"a\": 1.50}");

        var exit = bench.exit();
        var enter = sink.enters().get(0);
        var definition = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}";
        assertThat(sink.records()).containsExactly(enter, exit);
        assertThat(enter.call())
                .extracting(AuditedCall::method, AuditedCall::server, AuditedCall::tool, AuditedCall::definition)
                .containsExactly("tools/call", "one", "echo", definition);
        assertThat(enter.call().sandbox()).isEmpty();
        assertThat(enter.arguments()).isEqualTo("{\"a\": 1.50}");
        assertThat(enter.continues()).isEmpty();
        assertThat(exit.call()).isEqualTo(enter.call());
        assertThat(exit.attempts()).isEqualTo(1);
        assertThat(exit.duration()).isPositive();
        assertThat(exit.outcome()).isInstanceOf(Outcome.Answered.class);
    }

    @Test
    void g5RecordHasTheUserOfTheSocket() throws IOException {
        var client = bench.started("");

        client.call("one__echo", "{}");

        var principal = sink.enters().get(0).call().principal();
        assertThat(principal.name()).isEqualTo(System.getProperty("user.name"));
        assertThat(principal.proof()).isEqualTo("peer-credentials");
        assertThat(bench.exit().call().principal()).isEqualTo(principal);
    }

    @Test
    void g5DenialHasTheUserOfTheSocket() throws IOException {
        var user = System.getProperty("user.name");
        var client = bench.started("\"clients\": {\"%s\": {\"tools\": {\"deny\": [\"*echo\"]}}}, ".formatted(user));

        assertThat(client.call("one__echo", "{}").isError()).isTrue();

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.call().server() + "." + denied.call().tool()).isEqualTo("one.echo");
            assertThat(denied.call().principal().name()).isEqualTo(user);
            assertThat(denied.call().principal().proof()).isEqualTo("peer-credentials");
        });
        assertThat(sink.records()).hasSize(1);
    }

    @Test
    void listsPingsAndHandshakesAreNotRecorded() throws IOException {
        var client = bench.started("");

        client.toolNames();
        client.answer(client.request("ping", "{}"));
        client.answer(client.request("prompts/list", "{}"));

        assertThat(sink.records()).isEmpty();
    }

    @Test
    void serverErrorIsTheRecordedOutcome() throws IOException {
        var client = bench.started("");

        client.call("one__fail", "{}");

        assertThat(((Outcome.Answered) bench.exit().outcome()).response().isError())
                .isTrue();
    }

    @Test
    void callToACrashedServerHasAnUnknownDelivery() throws IOException {
        var client = bench.started("");

        client.call("one__crash", "{}");

        assertThat(AuditFixture.failure(bench.exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(bench.exit().attempts()).isEqualTo(1);
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void sixteenCallsToAKilledServerHaveAPairOfRecordsEach() throws Exception {
        bench.started("");
        var clients = new ArrayList<LineClient>();
        var calls = new ArrayList<MessageId>();
        for (int i = 0; i < 16; i++) {
            clients.add(bench.fixture.client("caller-" + i));
            calls.add(clients.get(i).callLater("one__hang", "{}"));
        }
        Eventually.holds("all calls to hang", () -> script.hanging() == 16);

        bench.fixture.client("killer").call("one__crash", "{}");

        var received = new ArrayList<String>();
        for (int i = 0; i < 16; i++) {
            received.add(clients.get(i).answer(calls.get(i)).json());
        }
        Eventually.holds("all exits", () -> sink.exits().size() == 17);
        assertThat(sink.enters()).hasSize(17);
        assertThat(sink.exits())
                .allSatisfy(exit ->
                        assertThat(AuditFixture.failure(exit).delivery()).isEqualTo(Delivery.UNKNOWN));
        for (var answer : received) {
            assertThat(answer).contains("\"delivery\":\"unknown\"");
            assertThat(sink.exits())
                    .filteredOn(exit -> answer.contains(exit.call().correlationId()))
                    .hasSize(1);
        }
    }

    @Test
    void cancelledCallIsRecordedAsCancelled() throws IOException {
        var client = bench.started("");
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.cancel(id);

        assertThat(AuditFixture.failure(bench.exit()).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void timedOutCallIsRecordedAsSuchDespiteALateAnswer() throws IOException {
        var client = bench.started("");
        client.answer(
                client.request("tools/call", "{\"name\":\"one__hang\",\"_meta\":{\"io.mcpbridge/timeoutMs\":200}}"));

        assertThat(AuditFixture.failure(bench.exit()).code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(AuditFixture.failure(bench.exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
        script.answerAll();
        client.call("one__echo", "{}");
        assertThat(sink.records()).hasSize(4);
    }

    @Test
    void coalescedCallsHaveAPairEachAndOneAttempt() throws IOException {
        var client = bench.started("");
        var keyed = "{\"name\":\"one__hang\",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"k\"}}";
        var first = client.request("tools/call", keyed);
        var second = client.request("tools/call", keyed);
        Eventually.holds("both to enter", () -> sink.enters().size() == 2);
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        script.answerAll();
        client.answer(first);
        client.answer(second);
        client.answer(client.request("tools/call", keyed));

        assertThat(sink.enters())
                .hasSize(3)
                .extracting(enter -> enter.call().correlationId())
                .doesNotHaveDuplicates();
        assertThat(sink.exits()).extracting("attempts").containsExactlyInAnyOrder(1, 0, 0);
        assertThat(script.calls()).containsExactly("hang");
    }

    @Test
    void retriedCallHasOnePairOfRecords() throws IOException {
        var client = bench.startedWith("\"tools\": {\"crash\": {\"read-only\": true}}", "");

        client.call("one__crash", "{}");

        assertThat(sink.records()).hasSize(2);
        // An attempt during the reconnect counts too, and the server does not see it.
        assertThat(script.calls()).isNotEmpty();
        assertThat(bench.exit().attempts())
                .isGreaterThan(1)
                .isGreaterThanOrEqualTo(script.calls().size());
        assertThat(AuditFixture.failure(bench.exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void cachedAnswerHasAPairOfRecordsWithoutAttempts() throws IOException {
        var client = bench.startedWith(
                "\"cache\": {\"tools\": {\"echo\": \"1h\"}}, \"tools\": {\"echo\": {\"read-only\": true}}", "");
        client.call("one__echo", "{}");

        client.call("one__echo", "{}");

        assertThat(script.calls()).containsExactly("echo");
        assertThat(sink.enters()).extracting("call.server").containsExactly("one", "one");
        assertThat(sink.exits()).extracting("attempts").containsExactly(1, 0);
    }

    @Test
    void callThatCarriesAnAnswerContinuesTheOriginalOne() throws IOException {
        var client = bench.started("");
        var asking = client.answer(client.request("tools/call", ASK.formatted("")));
        assertThat(asking.text(MessageField.RESULT_TYPE)).contains("input_required");
        var question = Json.parse(asking.raw(MessageField.INPUT_REQUESTS).orElseThrow())
                .asMap()
                .keySet()
                .iterator()
                .next();
        var answers = "\"requestState\":%s,\"inputResponses\":{\"%s\":{\"action\":\"decline\"}},"
                .formatted(asking.raw(MessageField.RESULT_STATE).orElseThrow(), question);

        var answer = client.answer(client.request("tools/call", ASK.formatted(answers)));

        assertThat(answer.isError()).isFalse();
        var enters = sink.enters();
        assertThat(enters)
                .extracting("continues")
                .containsExactly("", enters.get(0).call().correlationId());
        assertThat(sink.exits()).hasSize(2).extracting("attempts").containsExactly(1, 0);
        assertThat(((Outcome.Answered) sink.exits().get(0).outcome()).response().text(MessageField.RESULT_TYPE))
                .contains("input_required");
    }
}
