package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.ToolExit;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.tool.JsonObject;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The records of the calls that a daemon forwards, and what becomes of calls whose records cannot be kept. */
@Timeout(60)
class AuditTest {
    private static final String REQUIRED = "\"audit\": {\"mode\": \"required\"}, ";
    private static final String FOR_CHANGES = "\"audit\": {\"mode\": \"required-for-changes\"}, ";

    private static final String ASK =
            "{\"name\":\"one__ask\",%s\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}}}}}";

    private final ToolScript script = new ToolScript("one", "echo", "hang", "fail", "crash", "steps", "ask");
    private final RecordingAuditSink sink = new RecordingAuditSink();
    private final DaemonFixture fixture;

    AuditTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        assertThat(sink.isClosed()).isTrue();
    }

    private LineClient started(String bridge) throws IOException {
        fixture.unix("one", script);
        fixture.bridge(bridge).start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        return fixture.client("alice");
    }

    private ToolExit exit() {
        return Eventually.get(() -> "an exit", () -> sink.exits().stream().findFirst());
    }

    private static Failure failure(ToolExit exit) {
        return ((Outcome.Failed) exit.outcome()).failure();
    }

    @Test
    void aCallHasOnePairOfRecords() throws IOException {
        var client = started("");
        client.toolNames();

        client.call("one__echo", "{\"a\": 1.50}");

        var exit = exit();
        var enter = sink.enters().get(0);
        var definition = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}";
        assertThat(sink.records()).containsExactly(enter, exit);
        assertThat(enter.call()).isEqualTo(new AuditedCall("tools/call", "one", "echo", definition));
        assertThat(enter.arguments()).isEqualTo("{\"a\": 1.50}");
        assertThat(enter.continues()).isEmpty();
        assertThat(exit.correlationId()).isEqualTo(enter.correlationId());
        assertThat(exit.call()).isEqualTo(enter.call());
        assertThat(exit.attempts()).isEqualTo(1);
        assertThat(exit.duration()).isPositive();
        assertThat(exit.outcome()).isInstanceOf(Outcome.Answered.class);
    }

    @Test
    void g5TheUserOfTheSocketIsInTheRecord() throws IOException {
        var client = started("");

        client.call("one__echo", "{}");

        var principal = sink.enters().get(0).principal();
        assertThat(principal.name()).isEqualTo(System.getProperty("user.name"));
        assertThat(principal.proof()).isEqualTo("peer-credentials");
    }

    @Test
    void theTraceOfTheClientIsInTheRecord() throws IOException {
        var client = started("");
        var trace = "4bf92f3577b34da6a3ce929d0e0e4736";

        client.answer(client.request(
                "tools/call",
                "{\"name\":\"one__echo\",\"_meta\":{\"traceparent\":\"00-%s-00f067aa0ba902b7-01\"}}".formatted(trace)));
        client.answer(
                client.request("tools/call", "{\"name\":\"one__echo\",\"_meta\":{\"traceparent\":\"00-nonsense\"}}"));

        assertThat(sink.enters()).extracting("traceId").containsExactly(trace, "");
    }

    @Test
    void listsPingsAndHandshakesAreNotRecorded() throws IOException {
        var client = started("");

        client.toolNames();
        client.answer(client.request("ping", "{}"));
        client.answer(client.request("prompts/list", "{}"));

        assertThat(sink.records()).isEmpty();
    }

    @Test
    void anErrorOfTheServerIsTheOutcome() throws IOException {
        var client = started("");

        client.call("one__fail", "{}");

        assertThat(((Outcome.Answered) exit().outcome()).response().isError()).isTrue();
    }

    @Test
    void aServerThatDiesLeavesTheCallUnknown() throws IOException {
        var client = started("");

        client.call("one__crash", "{}");

        assertThat(failure(exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(exit().attempts()).isEqualTo(1);
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void aCancelledCallExitsAsSuch() throws IOException {
        var client = started("");
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.cancel(id);

        assertThat(failure(exit()).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void aCallThatTimesOutExitsAsSuchAndALateAnswerChangesNothing() throws IOException {
        var client = started("");
        client.answer(
                client.request("tools/call", "{\"name\":\"one__hang\",\"_meta\":{\"io.mcpbridge/timeoutMs\":200}}"));

        assertThat(failure(exit()).code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(failure(exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
        script.answerAll();
        client.call("one__echo", "{}");
        assertThat(sink.records()).hasSize(4);
    }

    @Test
    void anUnknownToolIsDeniedAndItsNumberIsBounded() throws IOException {
        var client = started("");

        for (int i = 0; i < 9; i++) {
            assertThat(client.call("none__echo" + i, "{}").isError()).isTrue();
        }

        assertThat(sink.enters()).isEmpty();
        assertThat(sink.exits()).isEmpty();
        assertThat(sink.denials())
                .extracting("tool")
                .containsExactly("none__echo0", "none__echo1", "none__echo3", "none__echo7");
        assertThat(sink.denials().get(3).reason()).isEqualTo("Unknown tool: none__echo7 (8 such calls by now)");
    }

    @Test
    void aCallBeyondTheLimitIsDenied() throws IOException {
        var client = started("\"limits\": {\"in-flight\": 1}, ");
        client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        client.call("one__echo", "{}");

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.tool()).isEqualTo("one__echo");
            assertThat(denied.reason()).contains("calls-in-flight");
            assertThat(denied.correlationId()).isNotEmpty();
        });
        script.answerAll();
    }

    @Test
    void aCallWhileTheDaemonDrainsIsDenied() throws Exception {
        var client = started("");
        var hanging = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);
        var drain = new Thread(() -> drain(fixture.running()), "test-drain");
        drain.start();
        Eventually.holds(
                "the gate to shut", () -> fixture.running().health().phase().equals("draining"));

        client.call("one__echo", "{}");
        script.answerAll();
        client.answer(hanging);
        drain.join();

        assertThat(sink.denials())
                .singleElement()
                .satisfies(denied -> assertThat(denied.reason()).contains("is shutting down"));
        assertThat(sink.exits()).hasSize(1);
    }

    private static void drain(Daemon daemon) {
        try {
            daemon.drain();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void i1ARequiredRecordThatCannotBeKeptRefusesTheCall() throws IOException {
        var client = started(REQUIRED);
        sink.failing(new IllegalStateException("No space left on device"));

        var answer = client.call("one__echo", "{}");

        assertThat(answer.json())
                .contains(
                        "\"code\":-31007",
                        "\"reason\":\"audit_unavailable\"",
                        "\"delivery\":\"not_sent\"",
                        "No space left on device");
        assertThat(script.calls()).isEmpty();
        assertThat(failure(exit()).code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
        var health = fixture.running().health();
        assertThat(health.status()).isEqualTo("unavailable");
        assertThat(health.audit())
                .isEqualTo(new AuditCondition("of the program", "required", "No space left on device"));
    }

    @Test
    void i1CallsGoOnWhenRecordsAreKeptAgain() throws IOException {
        var client = started(REQUIRED);
        sink.failing(new IllegalStateException("No space left on device"));
        client.call("one__echo", "{}");
        sink.well();

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(fixture.running().health().status()).isEqualTo("healthy");
    }

    @Test
    void i1BestEffortGoesOnWithoutTheRecord() throws IOException {
        var client = started("");
        sink.failing(new IllegalStateException("No space left on device"));

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        var health = fixture.running().health();
        assertThat(health.status()).isEqualTo("degraded");
        assertThat(health.audit().trouble()).isEqualTo("No space left on device");
    }

    @Test
    void i1AnAnswerIsGivenAlthoughItsExitCannotBeKept() throws IOException {
        var client = started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        sink.failing(new IllegalStateException("No space left on device"));
        script.answerAll();

        assertThat(client.answer(id).isError()).isFalse();
        assertThat(fixture.running().health().audit().trouble()).contains("No space left");
    }

    @Test
    void i1OnlyWhatMayChangeSomethingIsRefusedWhereOnlyThatIsRequired() throws IOException {
        var client = startedWith("\"tools\": {\"echo\": {\"read-only\": true}}", FOR_CHANGES);
        sink.failing(new IllegalStateException("No space left on device"));

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(client.call("one__steps", "{}").json()).contains("-31007");
    }

    @Test
    void i12ARecordThatIsLateRefusesTheCallWithinItsTime() throws IOException {
        var client = started(REQUIRED);
        sink.holding();

        var answer = client.answer(
                client.request("tools/call", "{\"name\":\"one__echo\",\"_meta\":{\"io.mcpbridge/timeoutMs\":150}}"));

        assertThat(answer.json()).contains("-31007", "it was not safe within 1", "\"delivery\":\"not_sent\"");
        assertThat(script.calls()).isEmpty();
    }

    @Test
    void i12ARecordThatIsLateHoldsAnAnswerUpForASecondAtMost() throws IOException {
        var client = started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        sink.holding();
        script.answerAll();

        assertThat(client.answer(id).isError()).isFalse();
        assertThat(fixture.running().health().audit().trouble()).contains("not safe within 1000 ms");
    }

    @Test
    void i12NobodyWaitsWhereRecordsAreNotRequired() throws IOException {
        var client = started("");
        sink.holding();

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void i12NoThreadWaitsForARecord() throws IOException {
        var client = started(REQUIRED);
        sink.holding();
        var first = client.callLater("one__echo", "{\"n\":1}");
        var second = client.callLater("one__echo", "{\"n\":2}");
        Eventually.holds("both records", () -> sink.enters().size() == 2);
        assertThat(client.toolNames()).contains("one__echo");
        assertThat(script.calls()).isEmpty();

        sink.well();

        assertThat(structured(client.answer(first))).isEqualTo("{\"n\":1}");
        assertThat(structured(client.answer(second))).isEqualTo("{\"n\":2}");
    }

    private static String structured(Response response) {
        return response.raw(Part.STRUCTURED_CONTENT).orElse("");
    }

    @Test
    void aCallThatIsCancelledWhileItWaitsForItsRecordIsNotSentAndExits() throws IOException {
        var client = started(REQUIRED);
        sink.holding();
        var id = client.callLater("one__echo", "{}");
        Eventually.holds("the record", () -> sink.enters().size() == 1);

        client.cancel(id);

        assertThat(failure(exit()).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(failure(exit()).delivery()).isEqualTo(Delivery.NOT_SENT);
        sink.well();
        client.call("one__hang2", "{}");
        assertThat(script.calls()).doesNotContain("echo");
    }

    @Test
    void anAnswerIsNotGivenBeforeItsExitIsSafe() throws IOException {
        var client = started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);
        sink.holding();

        script.answerAll();
        Eventually.holds("the exit", () -> sink.exits().size() == 1);
        assertThat(client.hasAnswer(id)).isFalse();
        sink.well();

        assertThat(client.answer(id).isError()).isFalse();
    }

    @Test
    void callsThatAreRepeatedByTheirKeyHaveAPairEachAndOneAttempt() throws IOException {
        var client = started("");
        var keyed = "{\"name\":\"one__hang\",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"k\"}}";
        var first = client.request("tools/call", keyed);
        var second = client.request("tools/call", keyed);
        Eventually.holds("both to enter", () -> sink.enters().size() == 2);
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        script.answerAll();
        client.answer(first);
        client.answer(second);
        client.answer(client.request("tools/call", keyed));

        assertThat(sink.enters()).hasSize(3).extracting("correlationId").doesNotHaveDuplicates();
        assertThat(sink.exits()).extracting("attempts").containsExactlyInAnyOrder(1, 0, 0);
        assertThat(script.calls()).containsExactly("hang");
    }

    @Test
    void aCallWhoseServerIsTriedAgainHasOnePair() throws IOException {
        var client = startedWith("\"tools\": {\"crash\": {\"read-only\": true}}");

        client.call("one__crash", "{}");

        assertThat(sink.records()).hasSize(2);
        // An attempt while the bridge connects again is one too, and the server does not see it.
        assertThat(script.calls()).isNotEmpty();
        assertThat(exit().attempts())
                .isGreaterThan(1)
                .isGreaterThanOrEqualTo(script.calls().size());
        assertThat(failure(exit()).delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void anAnswerThatWasKeptHasAPairWithoutAttempts() throws IOException {
        var client =
                startedWith("\"cache\": {\"tools\": {\"echo\": \"1h\"}}, \"tools\": {\"echo\": {\"read-only\": true}}");
        client.call("one__echo", "{}");

        client.call("one__echo", "{}");

        assertThat(script.calls()).containsExactly("echo");
        assertThat(sink.enters()).extracting("server").containsExactly("one", "one");
        assertThat(sink.exits()).extracting("attempts").containsExactly(1, 0);
    }

    private LineClient startedWith(String members) throws IOException {
        return startedWith(members, "");
    }

    private LineClient startedWith(String members, String bridge) throws IOException {
        var section = fixture.unix("one", script).section();
        fixture.server("one", section.replace("}", ", " + members + "}"));
        fixture.bridge(bridge).start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        return fixture.client("alice");
    }

    @Test
    void theCallThatBringsAnAnswerContinuesTheOneThatAsked() throws IOException {
        var client = started("");
        var asking = client.answer(client.request("tools/call", ASK.formatted("")));
        assertThat(asking.text(Part.RESULT_TYPE)).contains("input_required");
        var question = JsonObject.parse(asking.raw(Part.INPUT_REQUESTS).orElseThrow())
                .keySet()
                .iterator()
                .next();
        var answers = "\"requestState\":%s,\"inputResponses\":{\"%s\":{\"action\":\"decline\"}},"
                .formatted(asking.raw(Part.RESULT_STATE).orElseThrow(), question);

        var answer = client.answer(client.request("tools/call", ASK.formatted(answers)));

        assertThat(answer.isError()).isFalse();
        var enters = sink.enters();
        assertThat(enters)
                .extracting("continues")
                .containsExactly("", enters.get(0).correlationId());
        assertThat(sink.exits()).hasSize(2).extracting("attempts").containsExactly(1, 0);
        assertThat(((Outcome.Answered) sink.exits().get(0).outcome()).response().text(Part.RESULT_TYPE))
                .contains("input_required");
    }

    @Test
    void withoutASectionNothingIsRecorded() throws IOException {
        fixture.unix("one", script);
        fixture.start();
        sink.close();

        assertThat(fixture.running().health().audit()).isEqualTo(new AuditCondition("noop", "off", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"mode\": \"best-effort\"}", "{\"mode\": \"required\"}"})
    void anotherAuditTakesARestart(String section) throws IOException {
        started("\"audit\": {\"mode\": \"off\"}, ");
        fixture.bridge("\"audit\": %s, ".formatted(section));

        assertThatThrownBy(() -> fixture.running().reload(fixture.configuration()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'bridge.audit' has changed, which takes a restart");
    }

    @Test
    void modesThatAreNoneAndSinksThatAreNotThereAreRefused() throws IOException {
        fixture.bridge("\"audit\": {\"sink\": \"flie\", \"mode\": \"requird\"}, ");
        sink.close();

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("flie");
    }

    @ParameterizedTest
    @ValueSource(strings = {"required", "required-for-changes"})
    void aSinkThatKeepsNothingCannotBeRequired(String mode) throws IOException {
        fixture.bridge("\"audit\": {\"sink\": \"noop\", \"mode\": \"%s\"}, ".formatted(mode));
        sink.close();

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("which keeps no record");
    }

    @Test
    void notesOfListenersReachTheSink() throws IOException {
        var client = started("");

        client.send("{\"jsonrpc\"\n");

        Eventually.holds("the note", () -> sink.notes().size() == 1);
        assertThat(sink.notes().get(0).kind()).isEqualTo("frame-refused");
        assertThat(sink.notes().get(0).details()).containsKeys("peer", "count");
        assertThat(Map.copyOf(sink.notes().get(0).details())).doesNotContainValue("{\"jsonrpc\"");
    }
}
