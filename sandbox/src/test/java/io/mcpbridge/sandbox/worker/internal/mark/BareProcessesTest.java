package io.mcpbridge.sandbox.worker.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is known to have no variables. */
class BareProcessesTest {
    private final ProcessHandle process = ProcessHandle.current();
    private final BareProcesses bare = new BareProcesses();

    @Test
    void whoShowsNoneAtManyLooksIsKnown() {
        assertThat(look(BareProcesses.ENOUGH_LOOKS - 1)).isFalse();

        assertThat(bare.isKnown(process)).isTrue();
        assertThat(bare.isKnown(process)).isTrue();
    }

    @Test
    void whoShowsSomeInBetweenIsNot() {
        look(BareProcesses.ENOUGH_LOOKS - 1);

        bare.keepOnly(List.of());

        assertThat(look(BareProcesses.ENOUGH_LOOKS - 1)).isFalse();
    }

    /** Returns whether it is known after the last of these looks. */
    private boolean look(int times) {
        return IntStream.range(0, times)
                .mapToObj(each -> bare.isKnown(process))
                .reduce(false, (before, known) -> known);
    }
}
