package io.mcpbridge.faults;

import static io.mcpbridge.faults.FaultBench.NAME;
import static io.mcpbridge.faults.FaultBench.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.ServerStatus;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.BridgeEvent.ToolsRefreshed;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows E2 to E5, F14 and F17 of the fault matrix: a server that is a child process of the bridge. */
@Timeout(60)
class ChildFaultsTest {
    private final LeakCheck residue = LeakCheck.now();

    @AfterEach
    void nothingIsLeft() {
        residue.assertNothingLeft();
    }

    @Test
    @DisplayName("E2: a child that exits at once is reported with its exit code")
    void childThatExitsAtOnceIsReportedWithItsExitCode() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start=exit:3")) {
            var begun = System.nanoTime();

            var failure = bench.failure("echo", Map.of(), ONCE);

            assertThat(failure.message()).contains("exit code 3");
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    @DisplayName("E2: a child that exits during the handshake is reported with its exit code")
    void childThatExitsDuringTheHandshakeIsReportedWithItsExitCode() throws Exception {
        try (var bench = FaultBench.withChild("--at", "before-initialize=exit:4")) {
            assertThat(bench.failure("echo", Map.of(), ONCE).message()).contains("exit code 4");
        }
    }

    @Test
    @DisplayName("E3: calls of a killed child fail at once, and the next one restarts it")
    void callsOfAKilledChildFailAtOnceAndTheNextOneRestartsIt() throws Exception {
        try (var bench = FaultBench.withChild()) {
            bench.echo("there");
            var call = bench.slow(Duration.ofSeconds(30), ONCE);
            Eventually.holds("the call to be under way", () -> bench.status().callsInFlight() == 1);

            bench.child().destroyForcibly();

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(CallException.class, failed -> {
                        assertThat(failed.delivery()).isEqualTo(Delivery.UNKNOWN);
                        assertThat(failed).hasMessageContaining("exit code 137").hasCauseInstanceOf(IOException.class);
                    });
            assertThat(bench.echo("back")).isEqualTo("back");
            assertThat(bench.ledger().starts()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("E3: a child that dies during its answer has run once")
    void childThatDiesDuringItsAnswerHasRunOnce() throws Exception {
        try (var bench = FaultBench.withChild("--at", "mid-answer:1=exit:7")) {
            var failure = bench.failure("count", Map.of("key", "k"), ONCE.withMaxAttempts(3));

            assertThat(failure.code()).isEqualTo(ErrorCode.IN_DOUBT);
            assertThat(bench.ledger().executions("k")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E4: a call of a stopped child times out")
    void callOfAStoppedChildTimesOutAndHealthShowsIt() throws Exception {
        try (var bench = FaultBench.withChild()) {
            bench.echo("there");
            var child = bench.child();
            FaultBench.signal("STOP", child);
            try {
                var failure = bench.failure("echo", Map.of(), ONCE.withTimeout(Duration.ofMillis(1_500)));

                assertThat(failure.message()).contains("timed out");
                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            } finally {
                FaultBench.signal("CONT", child);
            }
            assertThat(bench.echo("again")).isEqualTo("again");
            assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isTrue();
        }
    }

    @Test
    @DisplayName("E4: a child that stays stopped is killed and restarted")
    void childThatStaysStoppedIsKilledAndRestarted() throws Exception {
        var clock = new FakeTimekeeper();
        try (var bench = FaultBench.withSilentChild(clock, "500ms")) {
            bench.echo("there");
            var child = bench.child();
            var call = bench.slow(Duration.ofSeconds(30), ONCE.withTimeout(Duration.ofHours(1)));
            Eventually.holds("the call to be under way", () -> bench.status().callsInFlight() == 1);

            FaultBench.signal("STOP", child);
            passUntilGivenUp(child, clock, bench);

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(CallException.class, failed -> {
                        assertThat(failed.delivery()).isEqualTo(Delivery.UNKNOWN);
                        assertThat(failed).hasMessageContaining("gave no sign of life");
                    });
            child.onExit().get(30, TimeUnit.SECONDS);
            passUntilHealthyWithout(child, clock, bench);
            assertThat(bench.echo("again")).isEqualTo("again");
            assertThat(bench.status().restarts()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("E4: the successor works while the hanging child is terminated")
    void successorWorksWhileTheHangingChildIsTerminated() throws Exception {
        var clock = new FakeTimekeeper();
        try (var bench = FaultBench.withSilentChild(clock, "2s", "--at", "start:1=ignore-term")) {
            bench.echo("there");
            var hanging = bench.child();

            FaultBench.signal("STOP", hanging);
            passUntilGivenUp(hanging, clock, bench);
            passUntilHealthyWithout(hanging, clock, bench);

            var successor = bench.child();
            assertThat(bench.echo("again")).isEqualTo("again");
            hanging.onExit().get(30, TimeUnit.SECONDS);
            assertThat(bench.echo("still")).isEqualTo("still");
            assertThat(bench.child().pid()).isEqualTo(successor.pid());
            assertThat(bench.ledger().starts()).isEqualTo(2);
        }
    }

    /** The child is stopped and there is no other, so that time may pass quickly. */
    private static void passUntilGivenUp(ProcessHandle child, FakeTimekeeper clock, FaultBench bench) {
        Eventually.holds("the child to be given up", () -> {
            clock.advance(Duration.ofSeconds(1));
            return bench.status().pid().orElse(0L) != child.pid();
        });
    }

    /** Time passes about as in reality, since a child starts. */
    private static void passUntilHealthyWithout(ProcessHandle former, FakeTimekeeper clock, FaultBench bench) {
        Eventually.holds("a successor", () -> {
            clock.advance(Duration.ofMillis(2));
            var status = bench.status();
            return status.state() == ServerStatus.State.HEALTHY && status.pid().orElse(former.pid()) != former.pid();
        });
    }

    @Test
    @DisplayName("E4: a successor that is killed during its start is replaced")
    void successorKilledDuringItsStartIsReplaced() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start:2=hang")) {
            bench.echo("there");
            var first = bench.child();

            first.destroyForcibly();
            Eventually.holds("the successor to start", () -> bench.ledger().starts() == 2);
            var hanging = ProcessHandle.current()
                    .children()
                    .filter(child -> child.pid() != first.pid() && child.isAlive())
                    .findFirst()
                    .orElseThrow();
            var call = bench.bridge.callToolAsync(NAME, "echo", Map.of("text", "queued"), ONCE);
            hanging.destroyForcibly();

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(CallException.class, failed -> {
                        assertThat(failed.delivery()).isEqualTo(Delivery.NOT_SENT);
                        assertThat(failed).hasMessageContaining("exit code 137");
                    });
            Eventually.holds("the third to work", () -> bench.status().state() == ServerStatus.State.HEALTHY);
            assertThat(bench.echo("on")).isEqualTo("on");
            assertThat(bench.ledger().starts()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("E5: a child that crashes repeatedly is restarted with a backoff, and its reason is shown")
    void crashingChildIsRestartedWithABackoffAndItsReasonShown() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start=exit:3")) {
            for (int i = 0; i < 30; i++) {
                bench.failure("echo", Map.of(), ONCE);
            }

            var held = bench.failure("echo", Map.of(), ONCE);

            assertThat(held.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(bench.ledger().starts()).isLessThan(15);
            assertThat(bench.status().error()).contains("exit code 3");
            assertThat(bench.status().state()).isIn(ServerStatus.State.DEGRADED, ServerStatus.State.UNAVAILABLE);
        }
    }

    @Test
    @DisplayName("E5: calls are retryable while a lost child cannot restart, and state the delay")
    void callsAreRetryableWhileALostChildCannotRestart() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start:2+=exit:3")) {
            bench.echo("there");
            bench.child().destroyForcibly();
            Eventually.holds("the loss", () -> bench.status().state() != ServerStatus.State.HEALTHY);

            var afterTheLoss = bench.failure("echo", Map.of(), ONCE);
            Eventually.holds("a restart to fail", () -> bench.status().error().contains("exit code 3"));
            var afterTheRestart = bench.failure("echo", Map.of(), ONCE);

            assertThat(List.of(afterTheLoss, afterTheRestart)).allSatisfy(failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
                assertThat(failure.retryable()).isTrue();
                assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
                assertThat(failure.message()).containsPattern("may connect again in \\d+ ms at the earliest");
            });
            assertThat(afterTheRestart.message()).contains("exit code 3");
        }
    }

    @Test
    @DisplayName("F14: tools of a restarted child are listed again, and their change is reported once")
    void toolsOfARestartedChildAreListedAgainAndTheChangeIsReportedOnce() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start:2+=tool:more")) {
            List<BridgeEvent> events = new CopyOnWriteArrayList<>();
            bench.bridge.events().subscribe(events::add);
            assertThat(bench.bridge.listTools(NAME)).hasSize(4);

            bench.child().destroyForcibly();

            Eventually.holds(
                    "the fifth tool",
                    () -> refreshed(events).anyMatch(each -> each.added().contains("more")));
            assertThat(bench.bridge.listTools(NAME)).hasSize(5);
            assertThat(refreshed(events).filter(each -> each.added().contains("more")))
                    .hasSize(1);
        }
    }

    private static Stream<ToolsRefreshed> refreshed(List<BridgeEvent> events) {
        return events.stream().filter(ToolsRefreshed.class::isInstance).map(ToolsRefreshed.class::cast);
    }

    @Test
    @DisplayName("F17: the era of an upgraded child is negotiated again")
    void eraOfAnUpgradedChildIsNegotiatedAgain() throws Exception {
        try (var bench = FaultBench.withChild("--at", "start:2+=era:modern")) {
            bench.echo("legacy");
            assertThat(era(bench)).isEqualTo(Era.LEGACY);

            bench.child().destroyForcibly();
            Eventually.holds("its successor to start", () -> bench.ledger().starts() == 2);

            assertThat(bench.echo("modern")).isEqualTo("modern");
            assertThat(era(bench)).isEqualTo(Era.MODERN);
        }
    }

    private static Era era(FaultBench bench) {
        return new ProtocolVersion(bench.status().protocolVersion().orElseThrow()).era();
    }
}
