package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.ToolEnter;
import java.time.Instant;
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

    private final RecordQueue queue = new RecordQueue();

    @Test
    void eventsThatAreThereAreTakenTogetherInTheirOrder() {
        offer("1", "2", "3");

        assertThat(take()).containsExactly("1", "2", "3");
    }

    @Test
    void nobodyWaitsForOthersThatDoNotComeAnyMore() {
        offer("1", "2", "3");
        take();
        offer("4");

        assertThat(take()).containsExactly("4");
    }

    @Test
    void asManyAsLastTimeAreTakenWithoutWaiting() {
        for (int round = 0; round < 1_000; round++) {
            offer("1", "2", "3");

            assertThat(take()).containsExactly("1", "2", "3");
        }
    }

    @Test
    void whatIsLeftBehindIsTakenNextThoughItIsLessThanBefore() {
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
    void eventsThatNobodyWaitsForAreTakenWithTheNextOne() {
        queue.offer(Pending.of(new AuditNote("note", Map.of()), Instant.EPOCH));
        offer("1");

        assertThat(take()).containsExactly("", "1");
    }

    private void offer(String... ids) {
        var call = new AuditedCall("tools/call", "server", "echo", "");
        for (var id : ids) {
            var enter = new ToolEnter(id, call, "{}", Principal.ANONYMOUS, "client", 1);
            assertThat(queue.offer(Pending.of(enter, Instant.EPOCH, new Told())))
                    .isTrue();
        }
    }

    private List<String> take() {
        return ids(queue.take(MOST, MOST_BYTES));
    }

    private static List<String> ids(List<Pending> group) {
        return group.stream().map(Pending::correlationId).toList();
    }
}
