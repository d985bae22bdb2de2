package io.mcpbridge.workers.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.workers.internal.mark.WorkerMark.EmptyEnvironments;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a process is known to have no variables. */
class EmptyEnvironmentsTest {
    private final ProcessHandle process = ProcessHandle.current();
    private final EmptyEnvironments environments = new EmptyEnvironments();

    @Test
    void processIsKnownAfterManyScans() {
        assertThat(scan(EmptyEnvironments.SCANS_NEEDED - 1)).isFalse();

        assertThat(environments.isKnown(process)).isTrue();
        assertThat(environments.isKnown(process)).isTrue();
    }

    @Test
    void processMissingFromAScanIsNotKnown() {
        scan(EmptyEnvironments.SCANS_NEEDED - 1);

        environments.retain(List.of());

        assertThat(scan(EmptyEnvironments.SCANS_NEEDED - 1)).isFalse();
    }

    /** Returns whether it is known after the last of these scans. */
    private boolean scan(int times) {
        return IntStream.range(0, times)
                .mapToObj(each -> environments.isKnown(process))
                .reduce(false, (before, known) -> known);
    }
}
