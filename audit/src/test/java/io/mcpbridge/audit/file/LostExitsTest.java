package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls whose exit record was lost: the next start ends some of them in doubt, and they displace no running call. */
@Timeout(60)
class LostExitsTest {
    private static final int MAX_IN_DOUBT = 1_024;
    private static final int MANY = 20_000;

    private final OpenCallIndex open = new OpenCallIndex();

    @TempDir
    Path folder;

    @Test
    void callsWithLostExitsAreLimited() {
        loseExits(MAX_IN_DOUBT + 2);

        assertThat(open.calls())
                .hasSize(MAX_IN_DOUBT)
                .containsKey("call-" + (MAX_IN_DOUBT - 1))
                .doesNotContainKey("call-" + MAX_IN_DOUBT);
    }

    @Test
    void runningCallStaysOpenHoweverManyExitsAreLost() {
        enter("running");

        loseExits(MANY);

        assertThat(open.calls()).containsKey("running");
    }

    @Test
    void lostExitWithoutAnEnterDoesNotCount() {
        open.exitLost("refused");

        loseExits(MAX_IN_DOUBT);

        assertThat(open.calls()).hasSize(MAX_IN_DOUBT);
    }

    @Test
    void nextStartEndsALimitedNumberOfCallsInDoubt() throws Exception {
        var disk = new FaultyDisk();
        try (var trail = TestTrail.in(folder).with(disk)) {
            try (var sink = trail.open()) {
                var enters = new ArrayList<CompletableFuture<Void>>();
                for (int i = 0; i < MAX_IN_DOUBT + 10; i++) {
                    enters.add(TestTrail.enter(sink, "call-" + i));
                }
                CompletableFuture.allOf(enters.toArray(new CompletableFuture<?>[0]))
                        .join();
                disk.full(true);
                var exits = new ArrayList<CompletableFuture<Void>>();
                for (int i = 0; i < MAX_IN_DOUBT + 10; i++) {
                    exits.add(TestTrail.exit(sink, "call-" + i));
                }
                Eventually.holds(
                        "all exits are lost",
                        () -> exits.stream().allMatch(CompletableFuture::isCompletedExceptionally));
                disk.full(false);
            }

            trail.open().close();

            assertThat(trail.records())
                    .filteredOn(each -> Boolean.TRUE.equals(each.data().get("inDoubt")))
                    .hasSize(MAX_IN_DOUBT);
        }
    }

    private void loseExits(int calls) {
        for (int i = 0; i < calls; i++) {
            enter("call-" + i);
            open.exitLost("call-" + i);
        }
    }

    private void enter(String call) {
        open.entered(call, new OpenCallIndex.Place(1, 0));
    }
}
