package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.testkit.RecordingReceiver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Fault row E14: a child that does not read its input. Its pipe takes 64 KiB, and then nothing more. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StuckChildTest {
    private static final int MAX_QUEUED = 4;
    private static final int MAX_QUEUED_BYTES = 4_000_000;
    private static final String MEGABYTE = "x".repeat(1_000_000);

    private final Fixture fixture = new Fixture();
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final StdioTransport transport = new StdioTransport(
            new StdioTransportSettings(
                    "sleep",
                    List.of("1000"),
                    Map.of(),
                    StdioTransportSettings.DEFAULTS.cwd(),
                    Duration.ofMillis(200),
                    MAX_QUEUED,
                    MAX_QUEUED_BYTES,
                    SandboxSettings.DEFAULTS,
                    ""),
            fixture.environment);
    private long ids;

    @BeforeEach
    void getStuck() throws InterruptedException {
        transport.open(receiver, fixture.deadline());
        var stuck = send(MEGABYTE);
        receiver.awaitWritten(stuck);
    }

    @AfterEach
    void close() {
        transport.close();
        fixture.close();
    }

    @Test
    @DisplayName("E14: send does not block, not even for a caller that would wait")
    void sendDoesNotBlock() {
        var waiting = request("small").withCallerWaiting();

        transport.send(waiting);

        assertThat(receiver.isWritten(waiting)).isFalse();
    }

    @Test
    @DisplayName("E14: max-queued messages wait, the next one fails and names the limit")
    void oneMessageOverMaxQueuedFails() {
        for (int i = 0; i < MAX_QUEUED; i++) {
            send("small");
        }
        assertThat(receiver.signals()).hasSize(1);

        var tooMany = send("small");

        var failure = receiver.awaitFailure(tooMany).failure();
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.message()).contains("'sleep'").contains("max-queued = 4");
    }

    @Test
    @DisplayName("E14: max-queued-bytes bytes wait, the next message fails and names the limit")
    void oneByteOverMaxQueuedBytesFails() {
        var empty = request("").message().length() + 1;
        for (int i = 0; i < 3; i++) {
            send(MEGABYTE);
        }
        var left = MAX_QUEUED_BYTES - 3 * (MEGABYTE.length() + empty);

        var tooMany = send("y".repeat(left - empty + 1));
        var last = send("y".repeat(left - empty));

        assertThat(receiver.awaitFailure(tooMany).failure().message()).contains("max-queued-bytes = 4000000");
        assertThat(receiver.failure(last)).isEmpty();
    }

    @Test
    void queuedMessageCanBeAbandoned() {
        var waiting = send("small");

        assertThat(transport.abandon(waiting, "no longer wanted")).isTrue();
        assertThat(transport.abandon(waiting, "no longer wanted")).isFalse();
    }

    @Test
    @DisplayName("E14: close ends a child although a write to it is blocked, and queued messages are not sent")
    void closeEndsAChildWithABlockedWrite() {
        var waiting = send("small");

        transport.close();

        assertThat(receiver.isWritten(waiting)).isFalse();
        assertThat(receiver.closings()).hasSize(1);
        await().atMost(30, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("mcp-bridge-stdio")));
    }

    @Test
    @DisplayName("E14: another child is not affected")
    void anotherChildIsNotAffected() throws Exception {
        var heard = new RecordingReceiver();
        var other = fixture.shell("cat");
        other.open(heard, fixture.deadline());

        other.send(request("hello"));

        assertThat(heard.awaitMessage().json()).contains("hello");
        other.close();
    }

    private Outgoing send(String text) {
        var out = request(text);
        transport.send(out);
        return out;
    }

    private Outgoing request(String text) {
        ids = ids % 9 + 1;
        return fixture.request(ids, text);
    }
}
