package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows I1, I2 and I3 where it is the system that fails: a limit on files, and calls that {@code strace} lets fail. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class SystemFaultsTest {
    private static final Path STRACE = Path.of("/usr/bin/strace");

    @TempDir
    Path folder;

    @Test
    void i1FileSizeLimitRejectsCallsAndKeepsRecords() throws Exception {
        var limited = List.of("bash", "-c", "ulimit -f 40 && exec \"$@\"", "bash");

        // The limit holds for the output of the child too.
        var said = run(limited, 40);

        assertThat(said)
                .anyMatch(line -> line.startsWith("refused") && line.contains("the audit record cannot be written"));
        assertHolds(said);
    }

    @Test
    void i1FullDiskOfTheSystemRejectsCalls() throws Exception {
        var said = run(strace("pwrite64:error=ENOSPC:when=12..40"), 20);

        assertThat(said).anyMatch(line -> line.contains("No space left on device"));
        assertHolds(said);
    }

    @Test
    void i3FailedSyncOfTheSystemDoesNotCount() throws Exception {
        var said = run(strace("fdatasync:error=EIO:when=6+5"), 20);

        assertThat(said).anyMatch(line -> line.contains("Input/output error"));
        assertHolds(said);
    }

    private static List<String> strace(String injection) {
        assumeTrue(Files.isExecutable(STRACE), "strace is missing; install the package 'strace'");
        var call = injection.substring(0, injection.indexOf(':'));
        return List.of(
                STRACE.toString(), "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=" + injection);
    }

    private Set<String> run(List<String> before, int calls) throws Exception {
        var command = new ArrayList<>(before);
        command.addAll(TrailChild.command(List.of(folder), "c", calls));
        var child = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try {
            assertThat(child.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly().waitFor();
        }
        return new HashSet<>(Files.readAllLines(folder.resolve("said")));
    }

    private void assertHolds(Set<String> said) throws Exception {
        try (var trail = TestTrail.in(folder)) {
            trail.open().close();
            var acknowledged =
                    said.stream().filter(line -> !line.startsWith("refused")).toList();

            assertThat(trail.verify().fault()).isEmpty();
            assertThat(acknowledged).isNotEmpty();
            assertThat(trail.ids()).containsAll(acknowledged);
            assertThat(FailingDiskTest.openCalls(trail.ids())).isEmpty();
        }
    }
}
