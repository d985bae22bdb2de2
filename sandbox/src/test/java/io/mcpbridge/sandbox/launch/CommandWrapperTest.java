package io.mcpbridge.sandbox.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words before a command, by tools that not every machine has, too. */
@EnabledOnOs(OS.LINUX)
class CommandWrapperTest {
    private static final LaunchCommand CAT = LaunchCommand.of(List.of("cat"), Map.of("PATH", "/usr/bin:/bin"));

    @TempDir
    Path folder;

    private SystemTools tools() throws Exception {
        for (var name : List.of("setpriv", "prlimit", "unshare", "bwrap", "mount", "systemd-run", "sh")) {
            var tool = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
        }
        return SystemTools.on(folder.toString());
    }

    private List<String> words(CommandWrapper wrapper, ProcessLimits limits) {
        return wrapper.wrap(CAT.within(limits)).wrapper().words().stream()
                .map(word -> word.replace(folder + "/", ""))
                .toList();
    }

    @Test
    void controlGroupComesFirstAndDiesWithUsWhileItIsRequested() throws Exception {
        var tools = tools();
        var limits = ProcessLimits.NONE.withMemoryBytes(64 << 20).withProcesses(8);

        var words = words(
                new SystemdScopeWrapper(
                        ControlGroupCheck.OF_THE_SYSTEM, tools, new SetprivWrapper(tools), false, Map.of()),
                limits);

        assertThat(String.join(" ", words))
                .startsWith("setpriv --pdeathsig KILL -- systemd-run --user --scope --quiet --collect -p"
                        + " MemoryMax=67108864 -p MemorySwapMax=0 -p TasksMax=8 -- sh -c unset XDG_RUNTIME_DIR"
                        + " DBUS_SESSION_BUS_ADDRESS;")
                .contains("mcp-bridge-guard setpriv --pdeathsig KILL");
    }

    @Test
    void secretsOfTheBridgeAreNotShown() throws Exception {
        var own = Map.of("XDG_RUNTIME_DIR", "/run/user/7", "TOKEN", "hunter2");

        var scope = new SystemdScopeWrapper(ControlGroupCheck.OF_THE_SYSTEM, tools(), CommandWrapper.NONE, false, own);

        assertThat(scope.toString()).doesNotContain("hunter2");
        assertThat(scope.own()).containsOnlyKeys("XDG_RUNTIME_DIR");
    }

    @Test
    void namespaceProcessesAreNotCountedInTheControlGroup() throws Exception {
        var tools = tools();

        var words = words(
                new SystemdScopeWrapper(
                        ControlGroupCheck.OF_THE_SYSTEM, tools, new UnshareWrapper(tools, true), true, Map.of()),
                ProcessLimits.NONE.withProcesses(8));

        assertThat(words).contains("TasksMax=10").doesNotContain("--user");
    }

    @Test
    void controlGroupOfANamespaceIsAGuardToo() throws Exception {
        var tools = tools();

        assertThat(new SystemdScopeWrapper(
                                ControlGroupCheck.OF_THE_SYSTEM, tools, new UnshareWrapper(tools, true), true, Map.of())
                        .wrap(CAT)
                        .wrapper()
                        .stays())
                .isTrue();
        assertThat(new SystemdScopeWrapper(
                                ControlGroupCheck.OF_THE_SYSTEM, tools, new SetprivWrapper(tools), true, Map.of())
                        .wrap(CAT)
                        .wrapper()
                        .stays())
                .isFalse();
    }

    @Test
    void eachLimitOfAProcessIsAnOption() throws Exception {
        var limits = ProcessLimits.NONE
                .withMemoryBytes(1 << 20)
                .withOpenFiles(64)
                .withFileSizeBytes(7)
                .withCpuTime(Duration.ofMillis(1_001));

        assertThat(words(new SetprivWrapper(tools()), limits))
                .endsWith("prlimit", "--data=1048576:1048576", "--nofile=64:64", "--fsize=7:7", "--cpu=3:3", "--")
                .noneMatch(word -> word.startsWith("--as"));
    }

    @Test
    void processesOfOrdinaryUsersAreAlsoCountedByTheSystem() throws Exception {
        var tools = tools();
        var limits = ProcessLimits.NONE.withProcesses(8);

        assertThat(words(new UnshareWrapper(tools, true), limits)).doesNotContain("--nproc=8:8", "--user");
        assertThat(words(new UnshareWrapper(tools, false), limits)).contains("--user", "--map-root-user");
    }

    @Test
    void onlyTheStrictWrapperDropsNetworkAndCapabilities() throws Exception {
        var tools = tools();

        assertThat(words(BubblewrapWrapper.firm(tools, true), ProcessLimits.NONE.withoutNetwork()))
                .contains("--die-with-parent", "--unshare-net", "--cap-drop", "--new-session");
        assertThat(words(BubblewrapWrapper.loose(tools, true), ProcessLimits.NONE))
                .contains("--die-with-parent", "--dev-bind", "CAP_SYS_ADMIN")
                .doesNotContain("--unshare-net", "ALL");
    }

    @Test
    void hiddenFoldersAreBoundedByTheMemoryLimit() throws Exception {
        var limits = ProcessLimits.NONE.withMemoryBytes(64 << 20).withReadable(List.of(folder));

        assertThat(String.join(" ", words(BubblewrapWrapper.firm(tools(), true), limits)))
                .contains("--size 67108864 --tmpfs /tmp");
    }

    @ParameterizedTest
    @CsvSource({"5.13.19-generic, false", "5.14.0, true", "6.1.0-18-amd64, true", "4.19.0, false", "odd, false"})
    void processesAreCountedByNamespaceSinceLinux514(String version, boolean counts) {
        assertThat(HostSystem.countsByNamespace(version)).isEqualTo(counts);
    }
}
