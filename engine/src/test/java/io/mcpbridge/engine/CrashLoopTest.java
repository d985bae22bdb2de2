package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.testkit.RecordingReply;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A child that answers and then crashes, again and again, is started once a second and no more often. */
class CrashLoopTest {
    private OneServer bench = OneServer.with(Map.of("command", "crashes"));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void callsAfterACrashOfAFreshChildFailAtOnceWithARetryDelay() {
        crash(1);

        var failure = bench.send().awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(failure.message())
                .isEqualTo(
                        "server 'tools' was lost and may connect again in 1000 ms at the earliest; the last reason: the"
                                + " server's process ended with exit code 7");
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    void eachOfFiveCrashesDelaysTheRestartByOneSecond() {
        for (int deaths = 1; deaths <= 5; deaths++) {
            crash(1);
            bench.time.advance(Duration.ofSeconds(1));
        }

        bench.send();

        assertThat(bench.connection().requests()).isNotEmpty();
        assertThat(bench.server.connections()).hasSize(6);
    }

    @Test
    void callRightAfterTheLossOfALongRunningChildFails() {
        bench.send();
        bench.connection().answer(bench.connection().last(), "{}");
        bench.time.advance(Duration.ofHours(1));
        bench.connection().end(Closed.exited(7, ""));

        var failure = bench.send().awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(1));
    }

    @Test
    void callThatTheLossOfAnotherTriggersFails() {
        bench.send();
        bench.connection().answer(bench.connection().last(), "{}");
        var next = new ArrayList<RecordingReply>();
        bench.upstream().handle(bench.toolCall(), lost -> next.add(bench.send()));

        bench.connection().end(Closed.exited(7, ""));

        assertThat(next.get(0).awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    void backgroundReconnectsKeepTheRestartInterval() {
        crash(1);

        bench.time.advance(Duration.ofMillis(999));
        assertThat(bench.server.connections()).hasSize(1);

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.server.connections()).hasSize(2);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void attemptOfACallReplacesTheBackgroundAttempt() {
        crash(1);
        bench.time.advance(Duration.ofSeconds(1));
        bench.time.advance(Duration.ofSeconds(2));
        bench.connection().end(Closed.exited(7, ""));
        bench.time.advance(Duration.ofMillis(999));
        bench.server.answerNothing();
        bench.send();
        var before = bench.log.lines();

        bench.time.advance(Duration.ofMillis(1));

        assertThat(bench.log.lines()).isEqualTo(before);
        assertThat(bench.server.connections()).hasSize(3);
    }

    @Test
    void restartIntervalIsConfigurable() {
        bench.close();
        bench = OneServer.with(Map.of("command", "crashes", "reconnect-backoff", "2s"));
        crash(1);

        assertThat(bench.send().awaitFailure().retryAfter()).contains(Duration.ofSeconds(2));
    }

    @Test
    void repeatedHandshakeCrashMakesTheCallNonRetryable() {
        bench.server.answerNothing();
        var call = bench.send();

        bench.connection().end(Closed.exited(7, "no such database"));
        bench.connection().end(Closed.exited(7, "no such database"));

        assertThat(call.awaitFailure().retryable()).isFalse();
        assertThat(call.awaitFailure().message()).contains("exit code 7", "no such database");
        assertThat(bench.server.connections()).hasSize(2);
    }

    @Test
    void childThatEndsDifferentlyTheSecondTimeLeavesTheCallRetryable() {
        bench.server.answerNothing();
        var call = bench.send();

        bench.connection().end(Closed.exited(7, "what is 'server/discover'?"));
        bench.connection().end(Closed.exited(7, "no such database"));

        assertThat(call.awaitFailure().retryable()).isTrue();
    }

    @Test
    void restartIntervalAppliesToChildProcessesOnly() {
        bench.close();
        bench = OneServer.unshared();
        bench.server.unreachable(TransportException.unreachable("held:here", new ConnectException("refused")));
        bench.send();
        bench.server.reachable();

        bench.time.advance(Duration.ofMillis(500));
        bench.send();

        assertThat(bench.server.connections()).hasSize(1);
    }

    private void crash(int times) {
        for (int i = 0; i < times; i++) {
            bench.send();
            bench.connection().answer(bench.connection().last(), "{}");
            bench.connection().end(Closed.exited(7, ""));
        }
    }
}
