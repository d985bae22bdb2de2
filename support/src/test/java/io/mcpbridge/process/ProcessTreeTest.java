package io.mcpbridge.process;

import static io.mcpbridge.process.Children.command;
import static io.mcpbridge.process.Children.exitCode;
import static io.mcpbridge.process.Children.shell;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTreeTest {
    private final PlainProcessLauncher launcher = new PlainProcessLauncher();

    @BeforeEach
    void requireLists() {
        var pid = ProcessHandle.current().pid();
        var list = Path.of("/proc/%d/task/%d/children".formatted(pid, pid));
        Assumptions.assumeTrue(Files.isReadable(list), "this system does not list children by their parent");
    }

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    void processWithoutChildrenHasNone() throws Exception {
        var child = launcher.launch(command("cat"));

        assertThat(ProcessTree.mayHaveChildren(handle(child))).isFalse();
    }

    @Test
    void processWithAChildMayHaveChildren() throws Exception {
        var child = launcher.launch(shell("sleep 1000 & echo; cat"));
        awaitLine(child);

        assertThat(ProcessTree.mayHaveChildren(handle(child))).isTrue();
    }

    @Test
    void endedProcessHasNoChildren() throws Exception {
        var child = launcher.launch(command("cat"));
        var handle = handle(child);
        child.end(Duration.ofSeconds(10));
        exitCode(child);

        assertThat(ProcessTree.mayHaveChildren(handle)).isFalse();
    }

    private static void awaitLine(ChildProcess child) throws IOException {
        assertThat(child.stdout().read()).isEqualTo('\n');
    }

    private static ProcessHandle handle(ChildProcess child) {
        return ProcessHandle.of(child.pid()).orElseThrow();
    }
}
