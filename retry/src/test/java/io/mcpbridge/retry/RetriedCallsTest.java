package io.mcpbridge.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallInDoubtException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policies in a bridge, with a server in the same process. */
@Timeout(60)
class RetriedCallsTest {
    private static final String NOTHING = "{}";
    private static final String DESTRUCTIVE = "{\"destructiveHint\":true}";
    private static final String READ_ONLY = "{\"readOnlyHint\":true}";

    @Test
    void callSucceedsWhenTheServerRecovers() throws InterruptedException {
        var server = new FlakyServer(NOTHING).thenRefusing(-32603).thenRefusing(-32000);

        var result = call(server, "exponential", false);

        assertThat(result.isError()).isFalse();
        assertThat(server.calls()).isEqualTo(3);
    }

    @Test
    void callFailsAfterThreeAttempts() {
        var server = new FlakyServer(NOTHING)
                .thenRefusing(-32603)
                .thenRefusing(-32603)
                .thenRefusing(-32603);

        var failed = failure(CallException.class, server, "exponential", false);

        assertThat(failed).hasMessageContaining("after all retries");
        assertThat(failed.attempts()).isEqualTo(3);
        assertThat(failed.retryable()).isTrue();
        assertThat(server.calls()).isEqualTo(3);
    }

    @Test
    void invalidRequestFailsAtOnce() {
        var server = new FlakyServer(NOTHING).thenRefusing(-32602);

        var failed = failure(CallException.class, server, "exponential", false);

        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(failed.retryable()).isFalse();
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void toolWithoutAnnotationsIsRetriedAfterATimeout() {
        var server = new FlakyServer(NOTHING).thenSilent().thenSilent().thenSilent();

        var failed = failure(CallTimedOutException.class, server, "exponential", false);

        assertThat(failed.attempts()).isEqualTo(3);
        assertThat(failed.retryable()).isTrue();
        assertThat(server.calls()).isEqualTo(3);
    }

    @Test
    void destructiveToolIsInDoubtAfterATimeout() {
        var server = new FlakyServer(DESTRUCTIVE).thenSilent();

        var failed = failure(CallInDoubtException.class, server, "exponential", false);

        assertThat(failed)
                .hasMessageContaining("timed out")
                .hasMessageContaining("the call may have run and is not repeated: its annotations");
        assertThat(failed.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(failed.retryable()).isFalse();
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName("F13: hints of an untrusted server do not permit a retry")
    void safeIgnoresHintsOfAnUntrustedServer() {
        var server = new FlakyServer(READ_ONLY).thenSilent();

        var failed = failure(CallInDoubtException.class, server, "safe", false);

        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    @DisplayName("F13: hints of a trusted server permit a retry")
    void safeUsesHintsOfATrustedServer() throws InterruptedException {
        var server = new FlakyServer(READ_ONLY).thenSilent();

        var result = call(server, "safe", true);

        assertThat(result.isError()).isFalse();
        assertThat(server.calls()).isEqualTo(2);
    }

    @Test
    void operatorMayDeclareAToolIdempotent() throws InterruptedException {
        var server = new FlakyServer(DESTRUCTIVE).thenSilent();

        var result = call(server, "safe", "\"tools\": {\"work\": {\"idempotent\": true}}");

        assertThat(result.isError()).isFalse();
        assertThat(server.calls()).isEqualTo(2);
    }

    @Test
    void operatorOverridesATrustedServer() {
        var server = new FlakyServer(READ_ONLY).thenSilent();
        var section = "\"trusted\": true, \"tools\": {\"work\": {\"read-only\": false, \"idempotent\": false}}";

        var failed = catchThrowableOfType(CallInDoubtException.class, () -> call(server, "safe", section));

        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void toolMayHaveItsOwnPolicy() {
        var server = new FlakyServer(NOTHING).thenRefusing(-32603);

        var failed = catchThrowableOfType(
                CallException.class, () -> call(server, "exponential", "\"tools\": {\"work\": {\"retry\": \"none\"}}"));

        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(server.calls()).isEqualTo(1);
    }

    @Test
    void sectionOfAToolSetsItsAttempts() {
        var server = new FlakyServer(NOTHING).thenSilent().thenSilent();
        var section = "\"tools\": {\"work\": {\"max-retries\": 1, \"timeout\": \"1500ms\"}}";

        var failed = catchThrowableOfType(
                CallTimedOutException.class, () -> call(server, "exponential", section, CallOptions.DEFAULTS));

        assertThat(failed).hasMessageContaining("1500 ms");
        assertThat(failed.attempts()).isEqualTo(2);
        assertThat(server.calls()).isEqualTo(2);
    }

    private static <E extends CallException> E failure(
            Class<E> type, FlakyServer server, String policy, boolean trusted) {
        return catchThrowableOfType(type, () -> call(server, policy, trusted));
    }

    private static ToolResult call(FlakyServer server, String policy, boolean trusted) throws InterruptedException {
        return call(server, policy, "\"trusted\": " + trusted);
    }

    private static ToolResult call(FlakyServer server, String policy, String more) throws InterruptedException {
        return call(server, policy, more, CallOptions.DEFAULTS.withTimeout(Duration.ofSeconds(1)));
    }

    private static ToolResult call(FlakyServer server, String policy, String more, CallOptions options)
            throws InterruptedException {
        var section =
                "{\"mcpServers\": {\"moody\": {\"type\": \"memory\", \"retry\": \"%s\", \"retryDelayMs\": 1, %s}}}"
                        .formatted(policy, more);
        var withoutStages = BridgeOptions.DEFAULTS
                .withTransports(Providers.of(TransportProvider.class, List.of(InMemoryTransportProvider.to(server))))
                .withStages(Providers.only(CallStageProvider.class, List.of()));
        var configuration = BridgeConfiguration.parse(section, Path.of(""), Map.of());
        try (var bridge = Bridge.open(configuration, withoutStages)) {
            assertThat(bridge.listTools("moody")).hasSize(1);
            return bridge.callTool("moody", "work", Map.of(), options);
        }
    }
}
