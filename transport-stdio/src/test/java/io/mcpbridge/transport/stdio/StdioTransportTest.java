package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.RecordingReceiver.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a connection behaves when its child does not. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StdioTransportTest {
    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"hi\"}}";

    private final Fixture fixture = new Fixture();
    private final RecordingReceiver receiver = new RecordingReceiver();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("D17: a request of an interrupted thread is sent, and the connection stays open")
    void requestOfAnInterruptedThreadIsSent() throws Exception {
        var transport = fixture.shell("while read line; do echo '" + ANSWER + "'; done");
        transport.open(receiver, fixture.deadline());
        try {
            for (int i = 1; i <= 3; i++) {
                var request = fixture.request(i, "echo");
                var out = i == 2 ? request.withCallerWaiting() : request;
                Thread.currentThread().interrupt();
                transport.send(out);

                assertThat(Thread.interrupted()).isTrue();
                receiver.awaitWritten(out);
            }
            receiver.awaitResponse(MessageId.of(1));
            assertThat(receiver.signals()).noneMatch(signal -> signal instanceof Signal.Ended);
        } finally {
            transport.close();
        }
    }

    @Test
    @DisplayName("E1: open fails with the name of a program that cannot start")
    void openFailsIfTheProgramCannotStart() {
        var transport = new StdioTransport(Fixture.settings("no-such-server", "s3cret"), fixture.environment);

        assertThatThrownBy(() -> transport.open(receiver, fixture.deadline()))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                .hasMessageContaining("Cannot start 'no-such-server'")
                .hasMessageNotContaining("s3cret");
        assertThat(receiver.signals()).isEmpty();
    }

    @Test
    @DisplayName("E1: a program for another architecture ends the connection with the error of the system")
    void programForAnotherArchitectureEndsTheConnection(@TempDir Path folder) throws Exception {
        var program = Files.write(folder.resolve("alien"), new byte[] {0x7F, 'E', 'L', 'F', 9, 9, 9, 9, '\n'});
        assertThat(program.toFile().setExecutable(true)).isTrue();
        var transport = new StdioTransport(Fixture.settings(program.toString()), fixture.environment);

        try {
            transport.open(receiver, fixture.deadline());
            assertThat(receiver.awaitClosed().exitCode().orElse(0)).isNotZero();
        } catch (TransportException refused) {
            assertThat(refused).hasMessageContaining("alien");
        } finally {
            transport.close();
        }
    }

    @Test
    @DisplayName("E2: a child that exits at once is reported with exit code and last lines, whatever the timeout is")
    void childThatExitsAtOnceIsReportedAtOnce() throws Exception {
        var transport = fixture.shellWithLongStopTimeout("echo first >&2; echo \"no \\$HOME set\" >&2; exit 3");

        transport.open(receiver, fixture.deadline());

        var closed = receiver.awaitClosed();
        transport.close();
        assertThat(closed.exitCode()).hasValue(3);
        assertThat(closed.reason()).contains("exit code 3").contains("first | no $HOME set");
        assertThat(closed.toFailure().code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
    }

    @Test
    @DisplayName("E3: a child that is killed during a call ends the call at once, and a new one works")
    void killedChildEndsItsCallsAtOnce() throws Exception {
        var out = fixture.request(1, "hang");
        var transport = fixture.shell("read line; kill -KILL $$");
        transport.open(receiver, fixture.deadline());

        transport.send(out);

        assertThat(receiver.awaitClosed().exitCode()).hasValue(128 + 9);
        assertThat(receiver.isWritten(out)).isTrue();
        transport.close();
        assertThat(fixture.messageOf(receiver, "read line; echo '" + ANSWER + "'")
                        .id())
                .contains(MessageId.of(1));
    }

    @Test
    @DisplayName("E3: a process left by a killed child neither delays the end for long nor stays")
    void processLeftByAKilledChildDoesNotDelayTheEnd() throws Exception {
        var transport = fixture.shell("sleep 1000 & read line; kill -KILL $$");
        transport.open(receiver, fixture.deadline());

        transport.send(fixture.request(1, "hello"));

        assertThat(receiver.awaitClosed().exitCode()).hasValue(128 + 9);
        transport.close();
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("mcp-bridge-stdio")));
    }

    @Test
    void lateAnswerToAnAbandonedRequestIsDelivered() throws Exception {
        var transport = fixture.shell("read one; read cancelled; echo '" + ANSWER + "'; cat");
        transport.open(receiver, fixture.deadline());
        var out = fixture.request(1, "hello");
        transport.send(out);
        receiver.awaitWritten(out);

        transport.abandon(out, "no longer wanted");

        assertThat(receiver.awaitMessage().json()).isEqualTo(ANSWER);
        transport.close();
    }

    @Test
    void abandonedHandshakeIsNotCancelledOnTheWire() throws Exception {
        var transport = fixture.shell("cat");
        transport.open(receiver, fixture.deadline());
        var handshake = fixture.outgoing(Request.of(MessageId.of(1), Methods.INITIALIZE));
        transport.send(handshake);
        receiver.awaitMessage();

        transport.abandon(handshake, "no longer wanted");
        transport.send(fixture.outgoing(Notification.of("after")));

        assertThat(receiver.awaitMessage().json()).contains("after");
        transport.close();
    }

    @Test
    @DisplayName("E6: close ends a child that ignores the end of its input and TERM")
    void closeEndsAChildThatIgnoresTerm() throws Exception {
        var transport = fixture.shell("trap '' TERM; echo '" + ANSWER + "'; while :; do sleep 1000; done");
        transport.open(receiver, fixture.deadline());
        receiver.awaitMessage();
        var pid = transport.traits().pid().orElseThrow();

        transport.close();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(receiver.closings()).hasSize(1);
        assertThat(receiver.closings().get(0).reason()).isEqualTo("the connection was closed by the bridge");
    }

    @Test
    @DisplayName("E13: a gigabyte on standard error is drained; only its end is kept")
    void floodOnStandardErrorIsDrained() throws Exception {
        var begin = System.nanoTime();

        var closed = fixture.closedAfter(
                receiver, "head -c 1000000000 /dev/zero >&2; echo >&2; echo \"the last line\" >&2; exit 1");

        assertThat(closed.reason()).endsWith("the last line").hasSizeLessThan(3_000);
        // At most 20 pieces are logged in 10 s, and a gigabyte takes longer than that on a busy machine.
        var windows = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) / 10;
        assertThat(fixture.logger.lines()).hasSizeLessThan(Math.toIntExact(20 * windows + 5));
    }

    @Test
    @DisplayName("E15: an answer that a child writes on TERM, just before it exits, is delivered")
    void answerOnTermIsDelivered() throws Exception {
        var last = ANSWER.replace(":1,", ":2,");
        var script = "trap 'echo \"" + last.replace("\"", "\\\"") + "\"; exit 0' TERM; echo '" + ANSWER
                + "'; while :; do sleep 0.02; done";
        var patient = Fixture.withStopTimeout(Fixture.settings("sh", "-c", script), Duration.ofSeconds(3));
        var transport = new StdioTransport(patient, fixture.environment);
        transport.open(receiver, fixture.deadline());
        receiver.awaitMessage();

        transport.close();

        assertThat(receiver.awaitMessage().json()).isEqualTo(last);
        assertThat(receiver.signals().get(receiver.signals().size() - 1)).isInstanceOf(Signal.Ended.class);
    }

    @Test
    @DisplayName("E15: an answer that is followed by the exit of the child is delivered before the end")
    void answerBeforeTheEndIsDelivered() throws Exception {
        var closed = fixture.closedAfter(receiver, "echo '" + ANSWER + "'; exit 4");

        assertThat(closed.exitCode()).hasValue(4);
        assertThat(receiver.signals().get(0)).isInstanceOf(Signal.Received.class);
    }

    @Test
    void childThatClosesItsOutputButRunsLosesItsConnection() throws Exception {
        var closed = fixture.closedAfter(receiver, "exec >&-; sleep 1000");

        assertThat(closed.reason()).isEqualTo("'sh' closed its standard output but still runs");
    }

    @Test
    void childThatClosesItsInputButRunsLosesItsConnection() throws Exception {
        var transport = fixture.shell("exec <&-; echo '" + ANSWER + "'; sleep 1000");
        transport.open(receiver, fixture.deadline());
        receiver.awaitMessage();

        transport.send(fixture.request(1, "hello"));

        assertThat(receiver.awaitClosed().reason()).isEqualTo("'sh' no longer accepts messages");
        transport.close();
    }

    @Test
    void secondOpenIsRejected() throws Exception {
        var transport = fixture.shell("cat");
        transport.open(receiver, fixture.deadline());

        assertThatThrownBy(() -> transport.open(receiver, fixture.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the transport to 'sh' was opened before");
        transport.close();
    }

    @Test
    void closeWithinTheReceiverIsHarmless() throws Exception {
        var transport = fixture.shell("echo '" + ANSWER + "'; cat");
        var closing = new ClosingReceiver(transport);

        transport.open(closing, fixture.deadline());

        assertThat(closing.awaitClosed()).isEqualTo("the connection was closed by the bridge");
    }
}
