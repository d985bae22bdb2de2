package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.ACCEPTED;
import static io.mcpbridge.engine.translation.ModernTestClient.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.RecordingReply;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is sealed in {@code requestState} opens for the same user, the same call and once. */
class RequestStateTest {
    private static final String ANSWERS = "{\"input-1\":" + ACCEPTED + "}";

    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    @Test
    void stateOfAnotherUserIsRejected() {
        var asked = client.suspended(client.toolCall());

        isRefused(
                bench.send(bench.retry(TranslationBench.modern("mallory", Caller.EVERYTHING), asked, ANSWERS)),
                "'requestState'");
        assertThat(bench.suspendedCalls.status().suspended()).isEqualTo(1);
    }

    @Test
    void stateOfTheSameNameWithAnotherProofIsRejected() {
        var asked = client.suspended(client.toolCall());
        var other = Caller.ANONYMOUS
                .withPrincipal(new Principal("alice", "peer-credentials"))
                .withVersion(TranslationBench.modern().version());

        isRefused(bench.send(bench.retry(other, asked, ANSWERS)), "'requestState'");
    }

    @Test
    void stateForAnotherToolOrOtherArgumentsIsRejected() {
        var asked = client.suspended(client.toolCall());
        var caller = TranslationBench.modern();

        isRefused(
                bench.send(bench.retry(caller, asked, ANSWERS, "{\"name\":\"other\",\"arguments\":{\"seats\":2}}")),
                "'requestState'");
        isRefused(
                bench.send(bench.retry(caller, asked, ANSWERS, "{\"name\":\"book\",\"arguments\":{\"seats\":3}}")),
                "'requestState'");
    }

    @Test
    void stateOfAnotherServerIsRejected() {
        var asked = client.suspended(client.toolCall());
        var reply = new RecordingReply();
        bench.translation("other").handle(bench.retry(TranslationBench.modern(), asked, ANSWERS), reply);

        isRefused(reply, "'requestState'");
    }

    @Test
    void stateAcceptsTheSameParamsInAnotherOrder() {
        var asked = client.suspended(client.toolCall());
        var params = "{\"arguments\":{\"seats\":2.0},\"_meta\":{\"traceparent\":\"x\"},\"name\":\"b\\u006fok\"}";
        var second = bench.send(bench.retry(TranslationBench.modern(), asked, ANSWERS, params));
        bench.server.last().answer("{}");

        assertThat(second.awaitAnswer().isError()).isFalse();
    }

    @Test
    void modifiedStateIsRejected() {
        var asked = client.suspended(client.toolCall());
        var state = asked.text(MessageField.RESULT_STATE).orElseThrow();
        for (var changed : new String[] {state + "A", state.substring(1), "mcpb1.x.y", "", "guess"}) {
            var params = "{\"name\":\"book\",\"arguments\":{\"seats\":2},\"requestState\":\"" + changed + "\"}";
            isRefused(bench.send(bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern())), "'requestState'");
        }
        assertThat(bench.server.count()).isEqualTo(1);
    }

    @Test
    void stateCanBeUsedOnce() {
        var asked = client.suspended(client.toolCall());
        var second = client.retry(asked, ANSWERS);
        isRefused(client.retry(asked, ANSWERS), "used already");
        var again = client.suspended(second);
        isRefused(client.retry(asked, ANSWERS), "used already");
        var third = client.retry(again, "{\"input-2\":" + ACCEPTED + "}");
        bench.server.last().answer("{}");

        assertThat(third.awaitAnswer().isError()).isFalse();
        isRefused(client.retry(again, ANSWERS), "lapsed");
    }

    @Test
    void stateExpiresWithItsCall() {
        var asked = client.suspended(client.toolCall());
        assertThat(bench.suspendedCalls.status().oldest()).contains(bench.time.now());
        bench.time.advance(SuspendedCallSettings.DEFAULTS.expiry());

        assertThat(bench.server.last().isCancelled()).isTrue();
        assertThat(bench.suspendedCalls.status()).isEqualTo(new SuspendedCalls.Status(0, Optional.empty(), 1));
        isRefused(client.retry(asked, ANSWERS), "lapsed: it is kept for 600 s");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void stateOfAModernServerIsForwarded() {
        bench.unconnected().setEra(Era.MODERN);
        var params = "{\"name\":\"book\",\"requestState\":\"theirs\",\"inputResponses\":{}}";
        var call = bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern());
        bench.send(call);

        assertThat(bench.server.last().call().request()).isSameAs(call.request());
    }

    @Test
    void unknownStateIsRejectedBeforeTheEraIsKnown() {
        bench.unconnected();
        var params = "{\"name\":\"book\",\"requestState\":\"theirs\"}";

        isRefused(bench.send(bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern())), "'requestState'");
    }
}
