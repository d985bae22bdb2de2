package io.mcpbridge.faults;

import static io.mcpbridge.faults.FaultBench.NAME;
import static io.mcpbridge.faults.FaultBench.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultProxy;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.Toxic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows F1 to F11 and F16 of the fault matrix: a server over HTTP, of either era, behind a network that fails. */
@ParameterizedClass
@EnumSource(Era.class)
@Timeout(60)
class NetworkFaultsTest {
    private static final Map<String, String> KEY = Map.of("key", "k");

    private final LeakCheck residue = LeakCheck.now();

    private final FaultyServer server;
    private final FaultProxy proxy;
    private final FaultBench bench;
    private final Era era;

    NetworkFaultsTest(Era era) throws IOException {
        this.era = era;
        server = FaultyServer.overHttp(era, FaultScript.NONE);
        proxy = FaultProxy.before(server.uri());
        bench = bench();
    }

    private FaultBench bench() throws IOException {
        return FaultBench.at(proxy.uri(), "\"retryDelayMs\": 100", "\"maxRetries\": 5");
    }

    @BeforeEach
    void connect() throws InterruptedException {
        assertThat(bench.echo("hello")).isEqualTo("hello");
    }

    @AfterEach
    void close() {
        bench.close();
        proxy.close();
        server.close();
        residue.assertNothingLeft();
    }

    /** Lets the server come back with other manners, and the bridge take notice of it. */
    private void restart(String... rules) throws InterruptedException {
        server.follow(FaultScript.parse(rules)).start();
        bench.bridge.checkHealth(NAME);
    }

    @Test
    @DisplayName("F1: a refused connection is reported as not sent")
    void refusedConnectionIsReportedAsNotSent() throws InterruptedException {
        proxy.always(new Toxic.Refuse());
        proxy.resetAll();
        // Whatever is written before the reset is noticed may have arrived; this is not the call's matter.
        assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isFalse();

        var failure = bench.failure("count", KEY, CallOptions.DEFAULTS.withMaxAttempts(2));

        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.retryable()).isTrue();
        assertThat(server.ledger().executions("k")).isZero();
    }

    @Test
    @DisplayName("F1: a call is retried within its deadline until the server listens again")
    void callIsRetriedUntilTheServerListensAgain() throws Exception {
        proxy.always(new Toxic.Refuse());
        proxy.resetAll();
        // A call that is written before the reset is noticed may have arrived, and is not repeated.
        assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isFalse();
        var call = bench.count("k", CallOptions.DEFAULTS.withMaxAttempts(50).withTimeout(Duration.ofSeconds(30)));

        proxy.pass();

        call.get(45, TimeUnit.SECONDS);
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    @DisplayName("F2: a call over a connection that was just reset runs at most once")
    void callOverAResetConnectionRunsAtMostOnce() throws Exception {
        proxy.resetAll();

        // Whether the reset is noticed before the call is written is the network's choice.
        var outcome = bench.count("k", CallOptions.DEFAULTS)
                .handle((result, failed) -> failed == null ? 1 : 0)
                .get(30, TimeUnit.SECONDS);

        assertThat(server.ledger().executions("k")).isEqualTo(outcome);
        bench.count("next", CallOptions.DEFAULTS).get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("F3: a call with a lost request runs at most once")
    void callWithALostRequestRunsAtMostOnce() throws InterruptedException {
        proxy.once("tools/call", new Toxic.ResetBefore());

        var failure = bench.failure("count", KEY, CallOptions.DEFAULTS);

        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(proxy.troubles()).isEqualTo(1);
        assertThat(server.ledger().executions("k")).isZero();
    }

    @Test
    @DisplayName("F3: a call with a lost answer is in doubt and has run once")
    void callWithALostAnswerIsNotRetried() throws InterruptedException {
        proxy.when("tools/call", new Toxic.ResetAfter());

        var failure = bench.failure("count", KEY, CallOptions.DEFAULTS);

        assertThat(failure.code()).isEqualTo(ErrorCode.IN_DOUBT);
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    /** One that is connected without a list. */
    private FaultBench unlisted() throws IOException {
        return FaultBench.at(proxy.uri(), "\"retryDelayMs\": 100", "\"schema-check\": \"none\"");
    }

    @Test
    @DisplayName("F3: a list with a lost answer is requested once more")
    void listWithALostAnswerIsRequestedAgain() throws Exception {
        try (var fresh = unlisted()) {
            assertThat(fresh.bridge.checkHealth(NAME).isHealthy()).isTrue();
            proxy.once("tools/list", new Toxic.ResetAfter());

            assertThat(fresh.bridge.listTools(NAME)).hasSize(4);

            assertThat(proxy.troubles()).isEqualTo(1);
        }
    }

    @Test
    void listIsNotRequestedAgainWithoutARetryPolicy() throws InterruptedException {
        var json = "{\"mcpServers\": {\"%s\": {\"url\": \"%s\"}}, \"bridge\": {\"retry\": {\"policy\": \"none\"}}}"
                .formatted(NAME, proxy.uri());
        var configuration = BridgeConfiguration.parse(json, Path.of(""), Map.of());
        try (var bridge = Bridge.open(configuration, BridgeOptions.DEFAULTS.withoutSchemaCheck())) {
            assertThat(bridge.checkHealth(NAME).isHealthy()).isTrue();
            proxy.once("tools/list", new Toxic.ResetAfter());

            assertThatThrownBy(() -> bridge.listTools(NAME)).isInstanceOf(CallException.class);

            assertThat(bridge.listTools(NAME)).hasSize(4);
        }
    }

    @Test
    @DisplayName("F3: a list fails if its answer is lost twice")
    void listFailsIfItsAnswerIsLostTwice() throws Exception {
        try (var fresh = unlisted()) {
            assertThat(fresh.bridge.checkHealth(NAME).isHealthy()).isTrue();
            proxy.when("tools/list", new Toxic.ResetAfter());

            assertThatThrownBy(() -> fresh.bridge.listTools(NAME))
                    .isInstanceOfSatisfying(CallException.class, failed -> {
                        assertThat(failed.delivery()).isEqualTo(Delivery.UNKNOWN);
                        assertThat(failed.retryable()).isTrue();
                    });

            assertThat(proxy.troubles()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("F5: a broken stream without event ids is not resumed")
    void brokenStreamWithoutEventIdsIsNotResumed() throws InterruptedException {
        restart("on-request=flood:20");
        // Every time, since the first one may only report that the session before the restart is lost.
        proxy.when("\"count\"", new Toxic.Cut(1_500));

        var failure = bench.failure("count", KEY, CallOptions.DEFAULTS);

        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(server.ledger().executions("k")).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("F6: a call over a half-open connection times out, and the next call works")
    void halfOpenConnectionTimesOutAndTheNextCallWorks() throws InterruptedException {
        proxy.once("\"count\"", new Toxic.HalfOpen());

        var failure = bench.failure("count", KEY, ONCE.withTimeout(Duration.ofMillis(1_500)));

        assertThat(failure.message()).contains("timed out");
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(bench.echo("again")).isEqualTo("again");
    }

    @Test
    @DisplayName("F7: the deadline applies to an answer that arrives byte by byte")
    void deadlineAppliesToASlowAnswer() throws InterruptedException {
        proxy.once("\"echo\"", new Toxic.Dribble(1, Duration.ofMillis(50)));
        var begun = System.nanoTime();

        var failure = bench.failure("echo", Map.of("text", "x".repeat(500)), ONCE.withTimeout(Duration.ofMillis(700)));

        assertThat(failure.message()).contains("timed out");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("F8: the deadline applies to an endless stream")
    void deadlineAppliesToAnEndlessStream() throws InterruptedException {
        restart("on-request=flood:999999999");

        var failure = bench.failure("echo", Map.of(), ONCE.withTimeout(Duration.ofSeconds(1)));

        assertThat(failure.message()).contains("timed out");
    }

    @Test
    @DisplayName("F9: a redirect is reported and not followed")
    void redirectIsReportedAndNotFollowed() throws InterruptedException {
        try (var elsewhere = FaultyServer.overHttp(era, FaultScript.NONE)) {
            restart("on-request=redirect:" + elsewhere.uri());

            var failure = bench.failure("count", KEY, CallOptions.DEFAULTS);

            assertThat(failure.message()).contains("redirect", elsewhere.uri().toString());
            assertThat(elsewhere.connections()).isZero();
        }
    }

    @Test
    @DisplayName("F11: a throttled call is retried after the Retry-After of the server")
    void callIsRetriedAfterTheRetryAfterOfTheServer() throws Exception {
        restart("on-request:1=status:429:1");
        var begun = System.nanoTime();

        bench.count("k", CallOptions.DEFAULTS).get(30, TimeUnit.SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    @DisplayName("F16: a call rejected for a lost session is sent once more")
    void callIsResentAfterItsSessionIsLost() throws Exception {
        assumeThat(era).isEqualTo(Era.LEGACY);
        restart("on-request:1=status:404");
        var connections = bench.status().connections();

        bench.count("k", CallOptions.DEFAULTS).get(30, TimeUnit.SECONDS);

        assertThat(server.ledger().executions("k")).isEqualTo(1);
        // The one that the new start of the server brings may come before or after the count.
        assertThat(bench.status().connections()).isBetween(connections + 1, connections + 2);
        Eventually.holds("no more calls in flight", () -> bench.status().callsInFlight() == 0);
    }
}
