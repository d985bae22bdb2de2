package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.processesWith;
import static io.mcpbridge.testkit.contract.LauncherFixture.unusedSeconds;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** E8: who survives when a program is killed while it starts children. A shell starts them here as the daemon would. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KilledStartsTest {
    private static final int KILLS = 15;
    private static final int STARTS = 8;
    private static final int MOST_MILLIS = 40;

    private final String word = unusedSeconds();
    private final Random random = new Random(8);

    static Stream<Named<CommandWrapper>> wrappers() {
        var tools = SystemTools.on(System.getenv().getOrDefault("PATH", ""));
        var isRoot = HostSystem.weAreRoot();
        return Stream.of(
                Named.of("L1", new SetprivWrapper(tools)),
                Named.of("L2", new UnshareWrapper(tools, isRoot)),
                Named.of("L2 by bwrap", BubblewrapWrapper.loose(tools, isRoot)),
                Named.of("L3", BubblewrapWrapper.firm(tools, isRoot)));
    }

    @AfterEach
    void endAll() {
        processesWith(word).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    @DisplayName("E8: a child that is starting when the program is killed does not survive")
    void startingChildDoesNotSurvive(CommandWrapper wrapper) throws Exception {
        Sandboxes.assume(wrapper);

        for (int i = 0; i < KILLS; i++) {
            var parent = shell();
            say(parent, started(wrapper, parent.pid()) + " & ", STARTS);
            parent.waitFor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS);
            parent.destroyForcibly().waitFor();
        }

        Eventually.holds(
                Duration.ofSeconds(10),
                () -> "nobody, but there are " + processesWith(word),
                () -> processesWith(word).stream().allMatch(KilledStartsTest::hasNotBegun));
    }

    /** A {@code bwrap} that lost its other half before it began waits for it, and starts nothing. */
    private static boolean hasNotBegun(long pid) {
        var program = ProcessHandle.of(pid).flatMap(handle -> handle.info().command());
        return program.map(file -> file.endsWith("/bwrap")).orElse(true);
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    @DisplayName("E8: a child that finds another parent does not start")
    void childWithAnotherParentDoesNotStart(CommandWrapper wrapper) throws Exception {
        Sandboxes.assume(wrapper);
        var parent = shell();

        say(parent, started(wrapper, ProcessHandle.current().pid()) + "; echo $?; exit; ", 1);

        assertThat(new String(parent.getInputStream().readAllBytes(), UTF_8)).isEqualTo("137\n");
    }

    private static Process shell() throws IOException {
        return new ProcessBuilder("sh")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void say(Process shell, String text, int times) throws IOException {
        shell.getOutputStream().write((text.repeat(times) + "wait\n").getBytes(UTF_8));
        shell.getOutputStream().flush();
    }

    /** The words for a daemon with that number. */
    private String started(CommandWrapper wrapper, long daemon) {
        var sleep = LaunchCommand.of(List.of("sleep", word), Map.of("PATH", "/usr/bin:/bin"));
        var us = Long.toString(ProcessHandle.current().pid());
        return Stream.concat(wrapper.wrap(sleep).wrapper().words().stream(), sleep.words().stream())
                .map(each -> "'" + each.replace(us, Long.toString(daemon)) + "'")
                .collect(Collectors.joining(" "));
    }
}
