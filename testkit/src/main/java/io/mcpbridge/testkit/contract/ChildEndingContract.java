package io.mcpbridge.testkit.contract;

import static io.mcpbridge.testkit.contract.LaunchedCommands.command;
import static io.mcpbridge.testkit.contract.LaunchedCommands.exitCode;
import static io.mcpbridge.testkit.contract.LaunchedCommands.lines;
import static io.mcpbridge.testkit.contract.LaunchedCommands.shell;
import static io.mcpbridge.testkit.contract.LaunchedCommands.text;
import static io.mcpbridge.testkit.contract.LaunchedCommands.unusedSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link ProcessLauncher} promises of how its children end on Linux, however it holds them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
public abstract class ChildEndingContract {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    ProcessLauncher launcher;

    /** An open launcher. */
    protected abstract ProcessLauncher open();

    /** The command as this test wants it held. */
    protected Command held(Command command) {
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

    final ChildProcess launch(Command command) throws InterruptedException {
        return launcher.launch(held(command));
    }

    @Test
    void aChildMayEndByItselfWhenItsInputEnds() throws Exception {
        var child = launch(shell("cat; echo bye"));

        child.end(Duration.ofSeconds(20));

        assertThat(text(child.stdout())).isEqualTo("bye\n");
        assertThat(exitCode(child)).isZero();
    }

    @Test
    @DisplayName("E15: a child that is asked to end can say a last word")
    void aChildThatIsAskedToEndCanSayALastWord() throws Exception {
        var child = launch(shell("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done"));
        var lines = lines(child);
        assertThat(lines.readLine()).isEqualTo("ready");

        child.end(Duration.ofSeconds(5));

        assertThat(lines.lines()).containsExactly("bye");
        assertThat(exitCode(child)).isEqualTo(5);
    }

    @Test
    @DisplayName("E6: a child that heeds nothing is killed")
    void aChildThatHeedsNothingIsKilled() throws Exception {
        var child = launch(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done"));
        assertThat(lines(child).readLine()).isEqualTo("ready");

        child.end(PATIENCE);

        assertThat(exitCode(child)).isEqualTo(137);
    }

    @Test
    @DisplayName("E7: what a child started ends with it")
    void whatAChildStartedEndsWithIt() throws Exception {
        var word = unusedSeconds();
        var child = launch(shell("sleep $1 & sleep $1 & echo ready; wait", word));
        assertThat(lines(child).readLine()).isEqualTo("ready");

        child.end(PATIENCE);

        assertThat(LaunchedCommands.processesWith(word)).isEmpty();
    }

    @Test
    @DisplayName("E6: a child that is hung up loses its input and gets TERM, and has one patience from then on")
    void aChildThatIsHungUpHasOnePatience() throws Exception {
        var child = launch(shell("trap 'echo asked' TERM; echo ready; cat; echo over; while :; do sleep 0.01; done"));
        var lines = lines(child);
        assertThat(lines.readLine()).isEqualTo("ready");

        child.hangUp();

        assertThat(List.of(lines.readLine(), lines.readLine())).containsExactlyInAnyOrder("asked", "over");
        var patience = Duration.ofSeconds(3);
        var begin = System.nanoTime();
        child.end(patience);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(patience.multipliedBy(2));
        assertThat(exitCode(child)).isEqualTo(137);
    }

    @Test
    void manyChildrenThatAreHungUpWaitForTheirEndsTogether() throws Exception {
        var children = new ArrayList<ChildProcess>();
        for (int i = 0; i < 6; i++) {
            children.add(launch(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")));
            assertThat(lines(children.get(i)).readLine()).isEqualTo("ready");
        }
        var patience = Duration.ofSeconds(2);
        var begin = System.nanoTime();

        children.forEach(ChildProcess::hangUp);
        children.forEach(child -> child.end(patience));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(patience.multipliedBy(3));
        assertThat(children).allSatisfy(child -> assertThat(exitCode(child)).isEqualTo(137));
    }

    @Test
    @DisplayName("E7: what children started ends when the launcher is closed")
    void closingEndsWhatChildrenStarted() throws Exception {
        var word = unusedSeconds();
        for (int i = 0; i < 4; i++) {
            var child = launch(shell("sleep $1 & sleep $1 & echo ready; wait", word));
            assertThat(lines(child).readLine()).isEqualTo("ready");
        }

        launcher.close();

        assertThat(LaunchedCommands.processesWith(word)).isEmpty();
    }

    @Test
    void closingEndsEveryChild() throws Exception {
        var word = unusedSeconds();
        var children = List.of(launch(command("sleep", word)), launch(shell("trap '' TERM; sleep $1", word)));

        launcher.close();

        assertThat(children)
                .allSatisfy(child ->
                        assertThat(child.onExit().toCompletableFuture()).isDone());
        assertThat(LaunchedCommands.processesWith(word)).isEmpty();
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
