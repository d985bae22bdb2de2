package io.mcpbridge.sandbox.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program with a pool is killed; nobody of its workers and of what these started may be left. */
@Timeout(30)
class OrphansTest {
    private static final String MARK = "MCPBRIDGE_SANDBOX";

    private static boolean isMarked(ProcessHandle process, String mark) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), "environ"), StandardCharsets.ISO_8859_1)
                    .contains(MARK + "=" + mark);
        } catch (IOException gone) {
            return false;
        }
    }

    private static long marked(String mark) {
        return ProcessHandle.allProcesses().filter(each -> isMarked(each, mark)).count();
    }

    /** Starts the program below, and kills it when all its calls are under way. */
    private static void startAndKill(String launcher) throws IOException {
        var mark = UUID.randomUUID().toString();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var program = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphansProgram.class.getName(),
                        launcher,
                        mark)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("under way");
            assertThat(marked(mark))
                    .as("a worker in a loop, another one, and a child")
                    .isGreaterThanOrEqualTo(3);

            program.destroyForcibly();

            Eventually.holds(Duration.ofSeconds(5), () -> "the end of " + marked(mark), () -> marked(mark) == 0);
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void e8NobodyOutlivesAProgramThatIsKilledWithPlainProcesses() throws IOException {
        startAndKill("plain");
    }

    @Test
    void e8NobodyOutlivesAProgramThatIsKilledWithTheSandbox() throws IOException {
        startAndKill("sandbox");
    }
}
