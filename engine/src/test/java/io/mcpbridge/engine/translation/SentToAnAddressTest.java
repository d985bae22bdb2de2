package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The error by which a server sends its user somewhere first. */
class SentToAnAddressTest {
    private static final String ELICITATIONS =
            "{\"elicitations\":[{\"mode\":\"url\",\"elicitationId\":\"e\",\"url\":\"https://a.example\",\"message\":\"Go\"}]}";

    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    private Response sent() {
        var reply = client.toolCall();
        bench.server.last().refuse(-32042, "go there first", ELICITATIONS);
        return reply.awaitAnswer();
    }

    @Test
    void urlElicitationErrorBecomesAnInputRequest() {
        assertThat(sent().raw(MessageField.INPUT_REQUESTS))
                .contains("{\"url-1\":{\"method\":\"elicitation/create\",\"params\":"
                        + "{\"mode\":\"url\",\"url\":\"https://a.example\",\"message\":\"Go\"}}}");
        assertThat(bench.suspendedCalls.status().suspended()).isZero();
    }

    @Test
    void urlElicitationErrorBecomesAnInputRequestThoughTheEraChanged() {
        bench.answersIn(Era.LEGACY);
        var reply = client.toolCall();
        bench.setEra(Era.MODERN);

        bench.server.last().refuse(-32042, "go there first", ELICITATIONS);

        assertThat(reply.awaitAnswer().has(MessageField.INPUT_REQUESTS)).isTrue();
    }

    @Test
    void callIsSentAgainAfterTheUserAccepted() {
        var reply = client.retry(sent(), "{\"url-1\":{\"action\":\"accept\"}}");
        assertThat(bench.server.count()).isEqualTo(2);
        assertThat(bench.server.last().params()).isEqualTo("{\"name\":\"book\",\"arguments\":{\"seats\":2}}");
        bench.server.last().answer("{\"content\":[]}");

        assertThat(reply.awaitAnswer().has(MessageField.CONTENT)).isTrue();
    }

    @Test
    void missingAnswerIsRequestedAgain() {
        var asked = sent();
        var again = client.retry(asked, "{}").awaitAnswer();

        assertThat(again.raw(MessageField.RESULT)).isEqualTo(asked.raw(MessageField.RESULT));
        assertThat(bench.server.count()).isEqualTo(1);
    }

    @Test
    void declineEndsTheCall() {
        var reply = client.retry(sent(), "{\"url-1\":{\"action\":\"decline\"}}").awaitAnswer();

        assertThat(reply.raw(MessageField.IS_ERROR)).contains("true");
        assertThat(bench.server.count()).isEqualTo(1);
    }

    @Test
    void stateExpires() {
        var asked = sent();
        bench.time.advance(SuspendedCallSettings.DEFAULTS.expiry().plusMillis(1));

        isRefused(client.retry(asked, "{\"url-1\":{\"action\":\"accept\"}}"), "lapsed");
    }

    @ParameterizedTest(name = "L3: the wall clock jumps by {0} days")
    @ValueSource(ints = {3_650, -1})
    void stateExpiresByTheMonotonicClock(int days) {
        var asked = sent();
        bench.time.advance(SuspendedCallSettings.DEFAULTS.expiry().minusSeconds(1));

        bench.time.shiftWallClock(Duration.ofDays(days));
        var inTime = client.retry(asked, "{\"url-1\":{\"action\":\"accept\"}}");
        bench.time.advance(Duration.ofSeconds(2));
        var late = client.retry(asked, "{\"url-1\":{\"action\":\"accept\"}}");

        assertThat(bench.server.count()).isEqualTo(2);
        isRefused(late, "lapsed");
        bench.server.last().answer("{\"content\":[]}");
        assertThat(inTime.awaitAnswer().has(MessageField.CONTENT)).isTrue();
    }

    @Test
    void clientWithoutUrlElicitationGetsTheMissingCapability() {
        var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"elicitation\":{}}")));
        bench.server.last().refuse(-32042, "go there first", ELICITATIONS);

        assertThat(reply.awaitAnswer().raw(MessageField.ERROR_DATA))
                .contains("{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}");
    }
}
