package io.mcpbridge.testkit.contract;

import static io.mcpbridge.testkit.contract.LauncherFixture.command;
import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.lines;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static io.mcpbridge.testkit.contract.LauncherFixture.unusedSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for every {@link ProcessLauncher} on Linux: its children and their termination, with or without a
 * sandbox.
 */
@Contract
public abstract class ProcessLauncherContract {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private ProcessLauncher launcher;

    /** Opens a launcher. */
    protected abstract ProcessLauncher open();

    /** Returns the command with the sandbox settings of this test. */
    protected LaunchCommand held(LaunchCommand command) {
        return command;
    }

    @BeforeEach
    void openLauncher() {
        launcher = open();
    }

    @AfterEach
    void closeLauncher() {
        if (launcher != null) {
            launcher.close();
        }
    }

    private ChildProcess launch(LaunchCommand command) throws InterruptedException {
        return launcher.launch(held(command));
    }

    @Test
    void childUsesItsThreeStreams() throws Exception {
        var child = launch(shell("read line; echo \"heard $line\"; echo trouble >&2; exit 3"));
        child.stdin().write("you\n".getBytes(StandardCharsets.UTF_8));

        assertThat(text(child.stdout())).isEqualTo("heard you\n");
        assertThat(text(child.stderr())).isEqualTo("trouble\n");
        assertThat(exitCode(child)).isEqualTo(3);
    }

    @Test
    void bytesPassUnchanged() throws Exception {
        var bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        var child = launch(command("cat"));
        var back = CompletableFuture.supplyAsync(() -> readAll(child));

        child.stdin().write(bytes);
        child.stdin().close();

        assertThat(back.get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
        assertThat(exitCode(child)).isZero();
    }

    private static byte[] readAll(ChildProcess child) {
        try {
            return child.stdout().readAllBytes();
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    @Test
    void argumentsArriveUnchanged() throws Exception {
        var child = launch(shell(
                "for each in \"$@\"; do printf '<%s>' \"$each\"; done", "--help", "a b", "", "$(id)", "x\ny", "é\"'"));

        assertThat(text(child.stdout())).isEqualTo("<--help><a b><><$(id)><x\ny><é\"'>");
    }

    @Test
    void aChildSeesItsOwnVariablesOnly() throws Exception {
        var child = launch(LaunchCommand.of(List.of("/usr/bin/env"), Map.of("ONE", "1", "PATH", "/usr/bin:/bin")));

        assertThat(text(child.stdout()).lines().filter(line -> !line.startsWith("PWD=")))
                .containsExactlyInAnyOrder("ONE=1", "PATH=/usr/bin:/bin");
    }

    @Test
    void childInheritsItsThreeStreamsOnly() throws Exception {
        var child = launch(shell("for fd in /proc/$$/fd/*; do test ! -e $fd || echo ${fd##*/}; done"));

        assertThat(text(child.stdout()).lines()).containsExactlyInAnyOrder("0", "1", "2");
    }

    @Test
    void aChildRunsInItsFolder(@TempDir Path folder) throws Exception {
        var child = launch(shell("pwd -P").inFolder(folder));

        assertThat(text(child.stdout()).strip()).isEqualTo(folder.toRealPath().toString());
    }

    @Test
    void missingProgramIsNamedButNotItsSecrets() {
        var command = held(LaunchCommand.of(List.of("no-such-program", "--token=s3cret"), Map.of("TOKEN", "s3cret")));

        assertThatThrownBy(() -> launcher.launch(command))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                .hasMessageContaining("Cannot start 'no-such-program': No such file or directory")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aFileThatIsNotExecutableIsRefused(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("notes.txt"), "hello");

        assertThatThrownBy(() -> launch(command(file.toString())))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("notes.txt", "Permission denied");
    }

    @Test
    void childThatEndsAtOnceHasItsExitCodeAndItsOutput() throws Exception {
        var child = launch(shell("echo 'no license' >&2; exit 42"));

        assertThat(exitCode(child)).isEqualTo(42);
        assertThat(text(child.stderr())).isEqualTo("no license\n");
    }

    @Test
    void aKilledChildHasTheSignalInItsExitCode() throws Exception {
        assertThat(exitCode(launch(shell("kill -KILL $$")))).isEqualTo(137);
        assertThat(exitCode(launch(shell("kill -TERM $$")))).isEqualTo(143);
    }

    @Test
    void pidIsThatOfTheChild() throws Exception {
        var word = unusedSeconds();
        var child = launch(command("sleep", word));

        Eventually.holds(
                () -> "the arguments of the child, but they are " + LauncherFixture.arguments(child.pid()),
                () -> LauncherFixture.arguments(child.pid()).get(0).endsWith("/sleep"));
        ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);

        assertThat(exitCode(child)).isEqualTo(137);
    }

    @Test
    void aChildOutlivesTheThreadThatAskedForIt() throws Exception {
        var started = new CompletableFuture<ChildProcess>();
        var thread = new Thread(() -> startUntilReady(started), "e9-asker");
        thread.start();
        var child = started.get(30, TimeUnit.SECONDS);
        thread.join();
        Eventually.holds("the thread to be gone", () -> !LauncherFixture.hasThread("e9-asker"));

        child.stdin().write("alive\n".getBytes(StandardCharsets.UTF_8));

        assertThat(lines(child).readLine()).isEqualTo("alive");
    }

    /** A child that writes output has already requested to end with its parent. */
    private void startUntilReady(CompletableFuture<ChildProcess> started) {
        try {
            var child = launch(shell("echo ready; exec cat"));
            assertThat(new String(child.stdout().readNBytes(6), StandardCharsets.UTF_8))
                    .isEqualTo("ready\n");
            started.complete(child);
        } catch (IOException | InterruptedException | RuntimeException | AssertionError failed) {
            started.completeExceptionally(failed);
        }
    }

    @Test
    void childHasTheAnnouncedLevel() throws Exception {
        var command = held(command("cat"));

        assertThat(launcher.launch(command).level()).isEqualTo(launcher.level(command));
    }

    @Test
    void aClosedLauncherStartsNothing() {
        launcher.close();

        assertThatThrownBy(() -> launch(command("cat")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Cannot start 'cat'");
    }

    @Test
    void aChildMayEndByItselfWhenItsInputEnds() throws Exception {
        var child = launch(shell("cat; echo bye"));

        child.end(Duration.ofSeconds(20));

        assertThat(text(child.stdout())).isEqualTo("bye\n");
        assertThat(exitCode(child)).isZero();
    }

    @Test
    void terminatedChildCanWriteAgain() throws Exception {
        var child = launch(shell("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done"));
        var lines = lines(child);
        assertThat(lines.readLine()).isEqualTo("ready");

        child.end(Duration.ofSeconds(3));

        assertThat(lines.lines()).containsExactly("bye");
        assertThat(exitCode(child)).isEqualTo(5);
    }

    @Test
    void childThatIgnoresSignalsIsKilled() throws Exception {
        var child = launch(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done"));
        assertThat(lines(child).readLine()).isEqualTo("ready");

        child.end(TIMEOUT);

        assertThat(exitCode(child)).isEqualTo(137);
    }

    @Test
    void descendantsEndWithTheirChild() throws Exception {
        var word = unusedSeconds();
        var child = launch(shell("sleep $1 & sleep $1 & echo ready; wait", word));
        assertThat(lines(child).readLine()).isEqualTo("ready");

        child.end(TIMEOUT);

        assertThat(LauncherFixture.processesWith(word)).isEmpty();
    }

    @Test
    void childThatIsHungUpHasOneTimeout() throws Exception {
        var child = launch(shell("trap 'echo asked' TERM; echo ready; cat; echo over; while :; do sleep 0.01; done"));
        var lines = lines(child);
        assertThat(lines.readLine()).isEqualTo("ready");

        child.hangUp();

        assertThat(List.of(lines.readLine(), lines.readLine())).containsExactlyInAnyOrder("asked", "over");
        var timeout = Duration.ofSeconds(3);
        var begin = System.nanoTime();
        child.end(timeout);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(timeout.multipliedBy(2));
        assertThat(exitCode(child)).isEqualTo(137);
    }

    @Test
    void manyChildrenThatAreHungUpWaitForTheirEndsTogether() throws Exception {
        var children = new ArrayList<ChildProcess>();
        for (int i = 0; i < 6; i++) {
            children.add(launch(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")));
            assertThat(lines(children.get(i)).readLine()).isEqualTo("ready");
        }
        var timeout = Duration.ofSeconds(1);
        var begin = System.nanoTime();

        children.forEach(ChildProcess::hangUp);
        children.get(0).end(timeout);
        var one = Duration.ofNanos(System.nanoTime() - begin);
        children.forEach(child -> child.end(timeout));

        // On a slow machine, the first termination is slow too.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(one.multipliedBy(3));
        assertThat(children).allSatisfy(child -> assertThat(exitCode(child)).isEqualTo(137));
    }

    @Test
    void closingEndsDescendants() throws Exception {
        var word = unusedSeconds();
        for (int i = 0; i < 4; i++) {
            var child = launch(shell("sleep $1 & sleep $1 & echo ready; wait", word));
            assertThat(lines(child).readLine()).isEqualTo("ready");
        }

        launcher.close();

        assertThat(LauncherFixture.processesWith(word)).isEmpty();
    }

    @Test
    void closingEndsEveryChild() throws Exception {
        var word = unusedSeconds();
        var children = List.of(launch(command("sleep", word)), launch(shell("trap '' TERM; sleep $1", word)));

        launcher.close();

        assertThat(children)
                .allSatisfy(child ->
                        assertThat(child.onExit().toCompletableFuture()).isDone());
        assertThat(LauncherFixture.processesWith(word)).isEmpty();
    }

    @Test
    void nothingIsLeftOfManyChildren() throws Exception {
        var before = ProcessHandle.current().descendants().count();

        for (int i = 0; i < 50; i++) {
            assertThat(exitCode(launch(shell("sleep 0 & exit 0")))).isZero();
        }

        Eventually.holds(
                "as many processes as before",
                () -> ProcessHandle.current().descendants().count() <= before);
    }
}
