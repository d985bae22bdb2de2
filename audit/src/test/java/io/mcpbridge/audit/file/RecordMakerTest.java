package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which records are made by whoever brings them, and which are left to the writer. */
@Timeout(60)
class RecordMakerTest {
    private static final AuditedCall ECHO = new AuditedCall("tools/call", "server", "echo", "");

    @TempDir
    Path folder;

    private TestTrail trail;
    private RecordMaker maker;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder);
        maker = new RecordMaker(AuditRecords.of(Settings.of(Map.of()), trail.environment()));
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void recordThatSomebodyWaitsForIsMadeAtOnce() {
        var event = enter("{\"text\":\"hi\"}");

        var made = maker.tryMake(event, ECHO);

        assertThat(made).isNotSameAs(event);
        assertThat(maker.make(made)).isSameAs(maker.make(made));
        assertThat(maker.make(made)).hasToString(maker.make(event).toString());
    }

    @Test
    void recordThatNobodyWaitsForIsLeftToTheWriter() {
        var denied = new ToolDenied("id", ECHO, Principal.ANONYMOUS, "client", "busy");
        var event = Pending.of(denied, Instant.EPOCH);

        assertThat(maker.tryMake(event, ECHO)).isSameAs(event);
    }

    @Test
    void longArgumentsAreLeftToTheWriter() {
        var event = enter("{\"text\":\"%s\"}".formatted("x".repeat(10_000)));

        assertThat(maker.tryMake(event, ECHO)).isSameAs(event);
    }

    @Test
    void longDefinitionIsLeftToTheWriter() {
        var event = enter("{}");
        var verbose = new AuditedCall(
                "tools/call", "server", "echo", "{\"description\":\"%s\"}".formatted("x".repeat(10_000)));

        assertThat(maker.tryMake(event, verbose)).isSameAs(event);
    }

    @Test
    void eventOfWhichNoRecordCanBeMadeIsLeftToTheWriter() {
        var event = event(records -> {
            throw new IllegalStateException("there is no chance");
        });

        assertThat(maker.tryMake(event, ECHO)).isSameAs(event);
    }

    @Test
    void nobodyWaitsWhileAnotherRecordIsMade() throws Exception {
        var isAtIt = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var slow = CompletableFuture.supplyAsync(() -> maker.tryMake(event(records -> held(isAtIt, mayGoOn)), ECHO));
        assertThat(isAtIt.await(30, TimeUnit.SECONDS)).isTrue();
        var event = enter("{}");

        assertThat(maker.tryMake(event, ECHO)).isSameAs(event);

        mayGoOn.countDown();
        assertThat(slow.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    private static RecordBody held(CountDownLatch isAtIt, CountDownLatch mayGoOn) {
        isAtIt.countDown();
        try {
            assertThat(mayGoOn.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
        }
        throw new IllegalStateException("there is nothing to make");
    }

    private static Pending enter(String arguments) {
        var event = new ToolEnter("id", ECHO, arguments, Principal.ANONYMOUS, "client", 1);
        return Pending.of(event, Instant.EPOCH, new Told());
    }

    private static Pending event(Function<AuditRecords, RecordBody> record) {
        return new Pending(Pending.Kind.ENTER, "id", 1, record, new Told());
    }
}
