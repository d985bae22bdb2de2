package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A child that answers and then crashes, again and again, is started five times a minute and no more. */
class CrashLoopTest {
    private OneServer bench = OneServer.with(Map.of("command", "crashes"));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void callsOfOneThatWasStartedTooOftenHearAtOnceWhenItIsTriedAgain() {
        crash(5);

        var failure = bench.send().awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(60));
        assertThat(failure.message())
                .isEqualTo("server 'tools' was started 5 times within 60 s, which is the limit 'starts-per-minute', and"
                        + " is not started again for 60000 ms; the last reason: the server's process ended with exit code"
                        + " 7");
        assertThat(bench.server.connections()).hasSize(5);
    }

    @Test
    void backgroundTriesWaitForTheNextMinuteToo() {
        crash(5);

        bench.time.advance(Duration.ofSeconds(59));
        assertThat(bench.server.connections()).hasSize(5);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(bench.upstream().status().error())
                .contains("started 5 times")
                .contains("exit code 7");

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.server.connections()).hasSize(6);
        assertThat(bench.upstream().status().state()).isEqualTo(UpstreamStatus.State.HEALTHY);
    }

    @Test
    void anotherLimitCanBeChosen() {
        bench.close();
        bench = OneServer.with(Map.of("command", "crashes", "starts-per-minute", 2));
        crash(2);

        assertThat(bench.send().awaitFailure().message()).contains("was started 2 times");
    }

    @Test
    void oneThatEndsWhenItIsAskedForItsEraIsStartedNoMoreOften() {
        bench.close();
        bench = OneServer.with(Map.of("command", "crashes", "starts-per-minute", 3));
        bench.server.silentAtAll();
        bench.send();
        bench.connection().end(Closed.exited(7, ""));
        bench.connection().end(Closed.exited(7, ""));

        bench.time.advance(Duration.ofSeconds(2));
        bench.connection().end(Closed.exited(7, ""));
        bench.time.advance(Duration.ofSeconds(50));

        assertThat(bench.server.connections()).hasSize(3);
        assertThat(bench.send().awaitFailure().message()).contains("was started 3 times within 60 s");
    }

    @Test
    void oneThatEndsTwiceInTheSameWayBeforeItIsOfUseIsNotStartedAgainForTheSameCall() {
        bench.server.silentAtAll();
        var call = bench.send();

        bench.connection().end(Closed.exited(7, "no such database"));
        bench.connection().end(Closed.exited(7, "no such database"));

        assertThat(call.awaitFailure().retryable()).isFalse();
        assertThat(call.awaitFailure().message()).contains("exit code 7", "no such database");
        assertThat(bench.server.connections()).hasSize(2);
    }

    @Test
    void oneThatEndsInAnotherWayWhenItIsStartedAgainMayBeTriedOnceMore() {
        bench.server.silentAtAll();
        var call = bench.send();

        bench.connection().end(Closed.exited(7, "what is 'server/discover'?"));
        bench.connection().end(Closed.exited(7, "no such database"));

        assertThat(call.awaitFailure().retryable()).isTrue();
    }

    @Test
    void serverThatIsNoChildIsNotCounted() {
        bench.close();
        bench = OneServer.reconnecting();

        crash(20);

        assertThat(bench.server.connections()).hasSize(20);
    }

    private void crash(int times) {
        for (int i = 0; i < times; i++) {
            bench.send();
            bench.connection().answer(bench.connection().last(), "{}");
            bench.connection().end(Closed.exited(7, ""));
        }
    }
}
