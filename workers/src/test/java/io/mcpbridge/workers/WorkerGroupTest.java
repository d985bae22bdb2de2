package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.process.PlainProcessLauncher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerGroupTest {

    @Test
    void errorDuringAStartReachesTheWaitingCall() {
        var options = WorkerOptions.builder().warm(0).most(1).build();
        try (var threads = new PoolExecutors();
                var launcher = new PlainProcessLauncher()) {
            var command = new WorkerCommandFactory(options, launcher, 256);
            var group = new WorkerGroup(options, command, threads, () -> {
                throw new NoClassDefFoundError("a/Launcher");
            });

            assertThatThrownBy(group::acquire)
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("no worker starts: a/Launcher");
        }
    }
}
