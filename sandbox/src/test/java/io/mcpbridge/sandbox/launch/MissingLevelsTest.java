package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** E18: a machine without the tools. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MissingLevelsTest {
    private static final Map<String, String> NOTHING = Map.of("PATH", "");

    private static SandboxLauncher open(String level, Map<String, String> variables) {
        return SandboxLauncher.open(Settings.of(Map.of("level", level)), new PlainProcessLauncher(), variables);
    }

    @Test
    @DisplayName("E18: a required level that is unavailable fails the start, and the error names what is missing")
    void unavailableRequiredLevelFailsTheStart() {
        assertThatThrownBy(() -> open("L2", NOTHING))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(
                        "'level' is 'L2' but must be 'auto' or one of those that this machine has, [L0]",
                        "'setpriv' is not on the search path; install util-linux",
                        "'bwrap' is not on the search path; install bubblewrap");
    }

    @Test
    void autoWithoutToolsIsAPlainProcessWithTheReason() throws Exception {
        try (var launcher = open("auto", NOTHING)) {
            assertThat(launcher.level()).isEqualTo(SandboxLevel.L0);
            assertThat(launcher.remark())
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("L1 is not available here", "L2 is not available here"));
            assertThat(launcher.launch(command("true")).level()).isEqualTo(SandboxLevel.L0);
        }
    }

    @Test
    @DisplayName("E18: limits that cannot be enforced are rejected, never ignored")
    void unenforceableLimitsAreRejected() {
        try (var launcher = open("auto", NOTHING)) {
            var limited = command("cat").within(ProcessLimits.NONE.withoutNetwork());

            assertThatThrownBy(() -> launcher.launch(limited))
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                    .hasMessageContainingAll("'cat'", "level L3 for its limits (network = false)", "bubblewrap");
            assertThat(launcher.missing(SandboxLevel.L3)).isPresent();
        }
    }

    @Test
    @DisplayName("E18: a tool that does nothing is detected")
    void toolThatDoesNothingIsDetected(@TempDir Path folder) throws Exception {
        for (var name : new String[] {"setpriv", "prlimit", "unshare", "bwrap"}) {
            var tool = folder.resolve(name);
            Files.writeString(tool, "#!/bin/sh\nwhile [ \"${1##*/}\" != sh ]; do shift; done\nexec \"$@\"\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
        }

        try (var launcher = open("auto", Map.of("PATH", folder + ":/usr/bin:/bin"))) {
            assertThat(launcher.level()).isEqualTo(SandboxLevel.L0);
            assertThat(launcher.remark())
                    .hasValueSatisfying(why -> assertThat(why).contains("it runs, but does not confine"));
        }
    }

    @Test
    @DisplayName("E18: a tool that hangs delays the start by a few seconds at most")
    void toolThatHangsIsAbandoned(@TempDir Path folder) throws Exception {
        var tool = folder.resolve("setpriv");
        Files.writeString(tool, "#!/bin/sh\nexec sleep 1000\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();

        try (var launcher = open("auto", Map.of("PATH", folder + ":/usr/bin:/bin"))) {
            assertThat(launcher.missing(SandboxLevel.L1)).hasValue("setpriv: it did not end within 4000 ms");
        }
    }

    @Test
    @DisplayName("E18: a level that was too slow is tried again after a minute, and no sooner")
    void levelWithATimeoutIsTriedAgain(@TempDir Path folder) throws Exception {
        var tool = folder.resolve("setpriv");
        Files.writeString(tool, "#!/bin/sh\necho >> " + folder + "/tries\nexec sleep 1000\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        var time = new FakeTimekeeper();

        try (var plain = new PlainProcessLauncher()) {
            var levels = new LevelDetection(
                    plain, Map.of("PATH", folder + ":/usr/bin:/bin"), time, ControlGroupCheck.OF_THE_SYSTEM);
            assertThat(levels.find(SandboxLevel.L1).wasTooSlow()).isTrue();
            Files.writeString(tool, "#!/bin/sh\necho >> " + folder + "/tries\nexit 7\n");

            time.advance(Duration.ofSeconds(59));
            assertThat(levels.find(SandboxLevel.L1).wasTooSlow()).isTrue();
            assertThat(levels.reasons())
                    .hasValueSatisfying(why -> assertThat(why)
                            .contains("L1 could not be probed in time", "setpriv: it did not end within 4000 ms"));

            time.advance(Duration.ofSeconds(1));
            assertThat(levels.find(SandboxLevel.L1).reason()).isEqualTo("setpriv: it ended with exit code 7");
        }
        assertThat(Files.readAllLines(folder.resolve("tries"))).hasSize(2);
    }

    @Test
    void mistakesInTheSectionAreReportedTogether() {
        var section = Settings.of(Map.of("level", "L7", "maxProcesses", -1, "memory", 3));

        assertThatThrownBy(() -> SandboxLauncher.open(section, new PlainProcessLauncher(), NOTHING))
                .hasMessageContainingAll("'L7'", "'maxProcesses'", "'memory' is not a key here");
    }
}
