package io.mcpbridge.audit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the writer is given at a time. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecordQueueTest {
    private static final int MOST = 512;
    private static final long MOST_BYTES = 1L << 20;

    private final Environment environment = TestEnvironment.usual();
    private final RecordQueue queue =
            new RecordQueue(environment, AuditRecords.of(Settings.of(Map.of()), environment), "the disk is too slow");

    @Test
    void queuedEventsAreTakenTogetherInOrder() {
        offer("1", "2", "3");

        assertThat(take()).containsExactly("1", "2", "3");
    }

    @Test
    void groupDoesNotWaitForMissingEvents() {
        offer("1", "2", "3");
        take();
        offer("4");

        assertThat(take()).containsExactly("4");
    }

    @Test
    void groupOfTheLastSizeIsTakenWithoutWaiting() {
        for (int round = 0; round < 1_000; round++) {
            offer("1", "2", "3");

            assertThat(take()).containsExactly("1", "2", "3");
        }
    }

    @Test
    void remainingEventsAreTakenNext() {
        offer("1", "2", "3");

        assertThat(ids(queue.take(2, MOST_BYTES))).containsExactly("1", "2");
        assertThat(take()).containsExactly("3");
    }

    @Test
    void pokeEndsTheWaitForOthers() {
        offer("1", "2", "3");
        take();
        queue.poke();

        assertThat(take()).isEmpty();
    }

    @Test
    void unawaitedEventsAreTakenWithTheNextAwaitedOne() {
        queue.note(new AuditNote("note", Map.of()));
        offer("1");

        assertThat(take()).containsExactly("", "1");
    }

    @Test
    void lostExitIsReturnedOnceItsEnterIsReleased() {
        offer("a");
        queue.close();
        queue.offer(PendingRecord.of(Events.exit("a"), new Events.Word(), environment.timekeeper()));
        assertThat(queue.pollLostExit()).isNull();

        take();

        assertThat(queue.pollLostExit()).isEqualTo("a");
        assertThat(queue.pollLostExit()).isNull();
    }

    private void offer(String... ids) {
        var call = AuditedCallFixture.of("tools/call", "server", "echo", "");
        for (var id : ids) {
            var enter = new ToolEnter(AuditedCallFixture.withId(call, id), "{}", "", 1);
            queue.offer(PendingRecord.of(enter, new Events.Word(), environment.timekeeper()));
        }
    }

    private List<String> take() {
        var ids = ids(queue.take(MOST, MOST_BYTES));
        queue.release();
        return ids;
    }

    private static List<String> ids(List<PendingRecord> group) {
        return group.stream().map(PendingRecord::correlationId).toList();
    }
}
