package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Connection;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls whose audit records cannot be written, or not in time. */
@Timeout(60)
class UnsafeRecordsTest {
    private static final String REQUIRED = "\"audit\": {\"mode\": \"required\"}, ";
    private static final String FOR_CHANGES = "\"audit\": {\"mode\": \"required-for-changes\"}, ";

    @RegisterExtension
    final AuditFixture bench = new AuditFixture();

    private final ToolScript script = bench.script;
    private final RecordingAuditSink sink = bench.sink;
    private final DaemonFixture fixture = bench.fixture;

    @Test
    void i1CallIsRejectedIfItsRequiredRecordIsNotKept() throws IOException {
        var client = bench.started(REQUIRED);
        sink.failing(new IllegalStateException("No space left on device"));

        var answer = client.call("one__echo", "{}");

        assertThat(answer.json())
                .contains(
                        "\"code\":-31007",
                        "\"reason\":\"audit_unavailable\"",
                        "\"delivery\":\"not_sent\"",
                        "its record was not kept; the operator finds more in 'health'")
                .doesNotContain("No space left on device");
        assertThat(script.calls()).isEmpty();
        assertThat(AuditFixture.failure(bench.exit()).code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
        var health = fixture.running().health();
        assertThat(health.status()).isEqualTo("unavailable");
        assertThat(health.audit().error()).isEqualTo("No space left on device");
        assertThat(health.audit().stopsCalls()).isTrue();
    }

    @Test
    void i1RejectedCallIsReportedAsAuditUnavailable() throws Exception {
        bench.started(REQUIRED);
        sink.failing(new IllegalStateException("No space left on device"));

        try (var server =
                Connection.to(URI.create("unix:" + fixture.unixAddress().getPath()))) {
            assertThatThrownBy(() -> server.callTool("one__echo", Map.of()))
                    .isInstanceOfSatisfying(CallException.class, refused -> {
                        assertThat(refused.code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
                        assertThat(refused.retryable()).isTrue();
                        assertThat(refused).hasMessageContaining("the bridge refused it: 'tools/call' of 'echo'");
                    });
        }
    }

    @Test
    void lostRecordsStayVisibleAfterTheRecovery() throws IOException {
        var client = bench.started("");
        sink.failing(new IllegalStateException("No space left on device"));
        client.call("one__echo", "{}");
        sink.well();
        client.call("one__echo", "{}");

        var health = fixture.running().health();

        assertThat(health.status()).isEqualTo("healthy");
        assertThat(health.audit().lost()).isEqualTo(2);
        assertThat(health.audit().lostSince()).isPresent();
    }

    @Test
    void i1CallsContinueAfterTheRecovery() throws IOException {
        var client = bench.started(REQUIRED);
        sink.failing(new IllegalStateException("No space left on device"));
        client.call("one__echo", "{}");
        sink.well();

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(fixture.running().health().status()).isEqualTo("healthy");
    }

    @Test
    void errorThatLosesNoRecordRejectsNoCall() throws IOException {
        var client = bench.started(REQUIRED);
        sink.troubled("old segments cannot be removed");

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        var health = fixture.running().health();
        assertThat(health.status()).isEqualTo("degraded");
        assertThat(health.audit())
                .isEqualTo(new AuditHealth(
                        "of the program", "required", "old segments cannot be removed", false, 0, Optional.empty()));
    }

    @Test
    void i1BestEffortContinuesWithoutTheRecord() throws IOException {
        var client = bench.started("");
        sink.failing(new IllegalStateException("No space left on device"));

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        var health = fixture.running().health();
        assertThat(health.status()).isEqualTo("degraded");
        assertThat(health.audit().error()).isEqualTo("No space left on device");
    }

    @Test
    void i1AnswerIsDeliveredThoughItsExitRecordIsNotKept() throws IOException {
        var client = bench.started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        sink.failing(new IllegalStateException("No space left on device"));
        script.answerAll();

        assertThat(client.answer(id).isError()).isFalse();
        assertThat(fixture.running().health().audit().error()).contains("No space left");
    }

    @Test
    void i1OnlyCallsThatMayChangeSomethingAreRejectedInModeRequiredForChanges() throws IOException {
        var client = bench.startedWith("\"tools\": {\"echo\": {\"read-only\": true}}", FOR_CHANGES);
        sink.failing(new IllegalStateException("No space left on device"));

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(client.call("one__steps", "{}").json()).contains("-31007");
    }

    @Test
    void i12LateRecordRejectsTheCallWithinItsTimeout() throws IOException {
        var client = bench.started(REQUIRED);
        sink.holding();

        var answer = client.answer(
                client.request("tools/call", "{\"name\":\"one__echo\",\"_meta\":{\"io.mcpbridge/timeoutMs\":150}}"));

        assertThat(answer.json()).contains("-31007", "its record was not safe in time", "\"delivery\":\"not_sent\"");
        assertThat(script.calls()).isEmpty();
    }

    @Test
    void i12LateExitRecordDelaysAnAnswerByOneSecondAtMost() throws IOException {
        var client = bench.started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);

        sink.holding();
        script.answerAll();

        assertThat(client.answer(id).isError()).isFalse();
        assertThat(fixture.running().health().audit().error()).contains("not safe within 1000 ms");
    }

    @Test
    void i12BestEffortCallsDoNotWaitForRecords() throws IOException {
        var client = bench.started("");
        sink.holding();

        assertThat(client.call("one__echo", "{}").isError()).isFalse();
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void i12PendingRecordBlocksNoThread() throws IOException {
        var client = bench.started(REQUIRED);
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
        return response.raw(MessageField.STRUCTURED_CONTENT).orElse("");
    }

    @Test
    void callCancelledBeforeItsRecordIsSafeIsNotSent() throws IOException {
        var client = bench.started(REQUIRED);
        sink.holding();
        var id = client.callLater("one__echo", "{}");
        Eventually.holds("the record", () -> sink.enters().size() == 1);

        client.cancel(id);

        assertThat(AuditFixture.failure(bench.exit()).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(AuditFixture.failure(bench.exit()).delivery()).isEqualTo(Delivery.NOT_SENT);
        sink.well();
        client.call("one__hang2", "{}");
        assertThat(script.calls()).doesNotContain("echo");
    }

    @Test
    void answerIsNotDeliveredBeforeItsExitRecordIsSafe() throws IOException {
        var client = bench.started(REQUIRED);
        var id = client.callLater("one__hang", "{}");
        Eventually.holds("the call to hang", () -> script.hanging() == 1);
        sink.holding();

        script.answerAll();
        Eventually.holds("the exit", () -> sink.exits().size() == 1);
        assertThat(client.hasAnswer(id)).isFalse();
        sink.well();

        assertThat(client.answer(id).isError()).isFalse();
    }
}
