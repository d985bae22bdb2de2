package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.RecordingReceiver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What becomes of a child that is being started while its connection is closed. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ClosedWhileStartingTest {
    private final Fixture fixture = new Fixture();
    private final HeldLauncher launcher = new HeldLauncher(fixture.environment.launcher());
    private final Environment environment = Environment.of(fixture.timekeeper, fixture.environment.workers(), launcher)
            .withLogger(fixture.logger);

    @AfterEach
    void close() {
        launcher.release();
        fixture.close();
    }

    private StdioTransport transport(Duration timeout) {
        var settings = StdioTransportSettings.of("sh", List.of("-c", "trap '' TERM; while :; do sleep 0.1; done"));
        return new StdioTransport(Fixture.withStopTimeout(settings, timeout), environment);
    }

    /** Opens it on a thread of its own, which is held while it starts the child. */
    private CompletableFuture<Void> opening(StdioTransport transport) throws InterruptedException {
        var opening = CompletableFuture.runAsync(
                () -> {
                    try {
                        transport.open(new RecordingReceiver(), fixture.deadline());
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                },
                task -> new Thread(task).start());
        launcher.awaitAsked();
        return opening;
    }

    @Test
    @DisplayName("C9: close waits for a starting child and ends it")
    void closeEndsAStartingChild() throws Exception {
        var transport = transport(Duration.ofSeconds(20));
        var opening = opening(transport);
        var closer = new Thread(transport::close);

        closer.start();
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
        assertThat(closer.isAlive()).isTrue();
        launcher.release();
        closer.join();

        assertThat(launcher.children()).hasSize(1);
        assertThat(launcher.children().get(0).onExit().toCompletableFuture()).isDone();
        opening.join();
    }

    @Test
    void closeWaitsForTheStopTimeoutAtMostAndEndsTheChild() throws Exception {
        var transport = transport(Duration.ofMillis(10));
        var opening = opening(transport);

        transport.close();
        assertThat(launcher.children()).isEmpty();
        launcher.release();
        opening.join();

        assertThat(launcher.children().get(0).onExit().toCompletableFuture()).isDone();
    }

    @Test
    void closedTransportStartsNothing() {
        launcher.release();
        var transport = transport(Duration.ofMillis(10));
        transport.close();

        assertThatThrownBy(() -> transport.open(new RecordingReceiver(), fixture.deadline()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("'sh' was not started");

        assertThat(launcher.children()).isEmpty();
    }
}
