package io.mcpbridge.process;

import static io.mcpbridge.process.Children.command;
import static io.mcpbridge.process.Children.exitCode;
import static io.mcpbridge.process.Children.output;
import static io.mcpbridge.process.Children.shell;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class PlainProcessLauncherTest {
    private final PlainProcessLauncher launcher = new PlainProcessLauncher();

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    void childUsesItsThreeStreams() throws Exception {
        var child = launcher.launch(shell("read line; echo \"heard $line\"; echo trouble >&2; exit 3"));
        child.stdin().write("you\n".getBytes(UTF_8));

        assertThat(output(child)).isEqualTo("heard you\n");
        assertThat(new String(child.stderr().readAllBytes(), UTF_8)).isEqualTo("trouble\n");
        assertThat(exitCode(child)).isEqualTo(3);
    }

    @Test
    @DisplayName("E1: an error names a missing program but neither its arguments nor its variables")
    void errorNamesAMissingProgramButNoSecrets() {
        var command = LaunchCommand.of(List.of("no-such-program", "--token=s3cret"), Map.of("TOKEN", "s3cret"));

        assertThatThrownBy(() -> launcher.launch(command))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                .hasMessageContaining("Cannot start 'no-such-program': No such file or directory")
                .hasStackTraceContaining("no-such-program")
                .satisfies(failed -> assertThat(stackTrace(failed)).doesNotContain("s3cret"));
    }

    @Test
    @DisplayName("E18: limits and levels that a plain process cannot enforce are rejected, and the artifact is named")
    void requirementsThatAPlainProcessCannotMeetAreRejected() {
        var limited = command("cat").within(ProcessLimits.NONE.withProcesses(4));
        var levelled = command("cat").requiring(SandboxLevel.L2);

        assertThatThrownBy(() -> launcher.launch(limited))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'cat'", "limits (max-processes = 4)", "io.mcpbridge:mcp-bridge-sandbox");
        assertThatThrownBy(() -> launcher.launch(levelled))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("'cat'", "the level L2", "io.mcpbridge:mcp-bridge-sandbox");
    }

    @Test
    void wrapperReplacesItselfByTheProgram() throws Exception {
        var child = launcher.launch(shell("echo $1 $WORD; exit 4").through(List.of("/usr/bin/env", "WORD=said")));

        assertThat(output(child)).isEqualTo("said\n");
        assertThat(exitCode(child)).isEqualTo(4);
    }

    @Test
    @DisplayName("E1: a missing program behind a wrapper is rejected with the same message")
    void missingProgramBehindAWrapperIsRejected() {
        var missing = command("no-such-program").through(List.of("/usr/bin/env"));

        assertThatThrownBy(() -> launcher.launch(missing))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Cannot start 'no-such-program': No such file or directory")
                .hasMessageNotContaining("env");
    }

    @Test
    void guardDoesNotReceiveTermBeforeTheChild() throws Exception {
        var guard = List.of("/bin/sh", "-c", "trap 'echo guard' TERM; \"$@\"; exit $?", "guard");
        var child = launcher.launch(shell("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done")
                .guardedBy(guard));
        var lines = new BufferedReader(new InputStreamReader(child.stdout(), UTF_8));
        assertThat(lines.readLine()).isEqualTo("ready");

        child.end(Duration.ofSeconds(2));

        assertThat(lines.lines()).containsExactly("bye");
        assertThat(exitCode(child)).isEqualTo(5);
    }

    @Test
    @DisplayName("E1: a file that is not executable is rejected")
    void nonExecutableFileIsRejected(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("notes.txt"), "hello");

        assertThatThrownBy(() -> launcher.launch(command(file.toString())))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("notes.txt")
                .hasMessageContaining("Permission denied");
    }

    @Test
    @DisplayName("E1: a program for another architecture is rejected, and no shell reads it")
    void programForAnotherArchitectureIsRejected(@TempDir Path folder) throws IOException {
        var ran = folder.resolve("ran");
        var file = Files.write(folder.resolve("foreign"), foreignProgram("\ntouch '%s'\n".formatted(ran)));
        assertThat(file.toFile().setExecutable(true)).isTrue();

        assertThatThrownBy(() -> launcher.launch(LaunchCommand.of(List.of(file.toString(), "--s3cret"), Map.of())))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                .hasMessageContaining("foreign")
                .hasMessageContaining("a program for another kind of machine (ELF machine 243, here it is ")
                .hasMessageNotContaining("s3cret");
        assertThat(ran).doesNotExist();
    }

    /** The head of an ELF program for RISC-V, on which these tests do not run, and text that a shell would read. */
    private static byte[] foreignProgram(String text) {
        var bytes = new byte[64 + text.length()];
        var head = new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, (byte) 243, 0};
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 64, text.length());
        return bytes;
    }

    @Test
    void missingWorkingFolderIsNamed() {
        var command = shell("true").inFolder(Path.of("/no/such/folder"));

        assertThatThrownBy(() -> launcher.launch(command))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("its working folder '/no/such/folder' is not an existing folder");
    }

    @Test
    void programIsLookedUpOnTheSearchPathOfTheChild(@TempDir Path folder) throws Exception {
        var program = Files.writeString(folder.resolve("mine"), "#!/bin/sh\necho found\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        var child = launcher.launch(LaunchCommand.of(List.of("mine"), Map.of("PATH", "/usr/bin:" + folder)));

        assertThat(output(child)).isEqualTo("found\n");
    }

    @Test
    void childRunsInItsFolder(@TempDir Path folder) throws Exception {
        var child = launcher.launch(command("pwd").inFolder(folder));

        assertThat(output(child)).isEqualTo(folder.toRealPath() + "\n");
    }

    @Test
    @DisplayName("E9: a child outlives the thread that started it")
    void childOutlivesTheThreadThatStartedIt() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv of util-linux is not installed");
        var asked = new CompletableFuture<ChildProcess>();
        var asker = new Thread(() -> asked.complete(launchUntilReady()), "e9-asker");
        asker.start();
        asker.join();
        await().until(() -> !Children.hasThread("e9-asker"));

        var child = asked.join();
        child.stdin().write("alive\n".getBytes(UTF_8));

        assertThat(new String(child.stdout().readNBytes(6), UTF_8)).isEqualTo("alive\n");
    }

    /** The system signals only a child that has requested it, so the thread must not end before that. */
    private ChildProcess launchUntilReady() {
        var child = launchUnchecked("setpriv", "--pdeathsig", "KILL", "sh", "-c", "echo ready; exec cat");
        try {
            assertThat(new String(child.stdout().readNBytes(6), UTF_8)).isEqualTo("ready\n");
            return child;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    @DisplayName("E10: a child sees the variables of its command and no others")
    void childSeesOnlyItsOwnVariables() throws Exception {
        var child = launcher.launch(LaunchCommand.of(List.of("/usr/bin/env"), Map.of("ONE", "1", "TWO", "zwei ü")));

        assertThat(output(child).lines()).containsExactlyInAnyOrder("ONE=1", "TWO=zwei ü");
    }

    @Test
    @DisplayName("E11: a child inherits no file descriptors but its three streams")
    @EnabledOnOs(OS.LINUX)
    void childInheritsOnlyItsThreeStreams(@TempDir Path folder) throws Exception {
        try (var open = Files.newByteChannel(Files.createFile(folder.resolve("secret")))) {
            assertThat(open.isOpen()).isTrue();
            var child = launcher.launch(shell("for f in /proc/$$/fd/*; do readlink $f; done"));

            assertThat(output(child).lines()).hasSize(3).allMatch(line -> line.startsWith("pipe:"));
        }
    }

    @Test
    @DisplayName("E21: arguments arrive unchanged, dashes, blanks and newlines included")
    void argumentsArriveUnchanged() throws Exception {
        var odd = List.of("-rf", "--", "a b", "$(id)", "two\nlines", "", "ü 'quoted' \"twice\"");
        var words = new java.util.ArrayList<>(List.of("sh", "-c", "for a; do printf '<%s>' \"$a\"; done", "sh"));
        words.addAll(odd);

        var child = launcher.launch(command(words.toArray(String[]::new)));

        assertThat(output(child)).isEqualTo("<" + String.join("><", odd) + ">");
    }

    @Test
    @DisplayName("E21: a NUL character is rejected, and the text that contains it is not quoted")
    void nulIsRejected() {
        assertThatThrownBy(() -> launcher.launch(command("cat", "s3\0cret")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("argument 1 holds a NUL character")
                .hasMessageNotContaining("cret");
        assertThatThrownBy(() -> launcher.launch(LaunchCommand.of(List.of("cat"), Map.of("TOKEN", "s3\0cret"))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the value of the variable 'TOKEN' holds a NUL character")
                .hasMessageNotContaining("cret");
        assertThatThrownBy(() -> launcher.launch(LaunchCommand.of(List.of("cat"), Map.of("A=B", "s3cret"))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the variable 'A=B' must have a name without '='")
                .hasMessageNotContaining("cret");
    }

    @Test
    @DisplayName("E16: a text that cannot reach the child unchanged is rejected and not quoted")
    void textThatCannotReachTheChildUnchangedIsRejected() {
        var half = "s3cret\ud83d";

        assertThatThrownBy(() -> launcher.launch(command("cat", half)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("argument 1 holds characters that do not pass", "LC_ALL=C.UTF-8")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> launcher.launch(LaunchCommand.of(List.of("cat"), Map.of("TOKEN", half))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the value of the variable 'TOKEN' holds characters that do not pass")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void closeEndsEveryChildAndRejectsNewOnes() throws Exception {
        var one = launcher.launch(command("sleep", "1000"));
        var other = launcher.launch(command("cat"));

        launcher.close();

        assertThat(one.onExit().toCompletableFuture()).isDone();
        assertThat(other.onExit().toCompletableFuture()).isDone();
        assertThatThrownBy(() -> launcher.launch(command("cat")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Cannot start 'cat': the launcher is closed");
    }

    @Test
    void interruptedLaunchLeavesNoChild() {
        var seconds = Children.unusedSeconds();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> launcher.launch(command("sleep", seconds))).isInstanceOf(InterruptedException.class);

        launcher.close();
        assertThat(Children.running(seconds)).isZero();
    }

    @Test
    void endingAChildTwiceIsHarmless() throws Exception {
        var child = launcher.launch(command("cat"));

        child.end(Duration.ofSeconds(5));
        child.end(Duration.ofSeconds(5));

        assertThat(exitCode(child)).isZero();
    }

    private ChildProcess launchUnchecked(String... words) {
        try {
            return launcher.launch(command(words));
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static String stackTrace(Throwable failed) {
        var text = new java.io.StringWriter();
        failed.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }
}
