package io.mcpbridge.sandbox.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Limits;
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

/** What is put before a command, of means too that not every machine has. */
@EnabledOnOs(OS.LINUX)
class WordsTest {
    private static final Command CAT = Command.of(List.of("cat"), Map.of("PATH", "/usr/bin:/bin"));

    @TempDir
    Path folder;

    private Tools tools() throws Exception {
        for (var name : List.of("setpriv", "prlimit", "unshare", "bwrap", "systemd-run", "sh")) {
            var tool = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
        }
        return Tools.on(folder.toString());
    }

    private List<String> words(Means means, Limits limits) {
        return means.wrap(CAT.within(limits)).wrapper().words().stream()
                .map(word -> word.replace(folder + "/", ""))
                .toList();
    }

    @Test
    void aControlGroupComesFirstAndDiesWithUsWhileItIsAskedFor() throws Exception {
        var tools = tools();
        var limits = Limits.NONE.withMemoryBytes(64 << 20).withProcesses(8);

        var words =
                words(new Scope(ControlGroups.OF_THE_SYSTEM, tools, new ParentDeath(tools), false, Map.of()), limits);

        assertThat(String.join(" ", words))
                .startsWith("setpriv --pdeathsig KILL -- systemd-run --user --scope --quiet --collect -p"
                        + " MemoryMax=67108864 -p MemorySwapMax=0 -p TasksMax=8 -- sh -c unset XDG_RUNTIME_DIR"
                        + " DBUS_SESSION_BUS_ADDRESS;")
                .contains("mcp-bridge-guard setpriv --pdeathsig KILL");
    }

    @Test
    void thoseWhoMakeANamespaceAreNotCountedInTheControlGroup() throws Exception {
        var tools = tools();

        var words = words(
                new Scope(ControlGroups.OF_THE_SYSTEM, tools, new Namespaces(tools, true), true, Map.of()),
                Limits.NONE.withProcesses(8));

        assertThat(words).contains("TasksMax=10").doesNotContain("--user");
    }

    @Test
    void aControlGroupOfANamespaceIsAGuardToo() throws Exception {
        var tools = tools();

        assertThat(new Scope(ControlGroups.OF_THE_SYSTEM, tools, new Namespaces(tools, true), true, Map.of())
                        .wrap(CAT)
                        .wrapper()
                        .stays())
                .isTrue();
        assertThat(new Scope(ControlGroups.OF_THE_SYSTEM, tools, new ParentDeath(tools), true, Map.of())
                        .wrap(CAT)
                        .wrapper()
                        .stays())
                .isFalse();
    }

    @Test
    void eachLimitOfAProcessIsAnOption() throws Exception {
        var limits = Limits.NONE
                .withMemoryBytes(1 << 20)
                .withOpenFiles(64)
                .withFileSizeBytes(7)
                .withCpuTime(Duration.ofMillis(1_001));

        assertThat(words(new ParentDeath(tools()), limits))
                .endsWith("prlimit", "--data=1048576:1048576", "--nofile=64:64", "--fsize=7:7", "--cpu=3:3", "--")
                .noneMatch(word -> word.startsWith("--as"));
    }

    @Test
    void processesOfOrdinaryUsersAreCountedByTheSystemToo() throws Exception {
        var tools = tools();
        var limits = Limits.NONE.withProcesses(8);

        assertThat(words(new Namespaces(tools, true), limits)).doesNotContain("--nproc=8:8", "--user");
        assertThat(words(new Namespaces(tools, false), limits)).contains("--user", "--map-current-user");
    }

    @Test
    void withoutNetworkAndRightsIsForTheFirmOnly() throws Exception {
        var tools = tools();

        assertThat(words(Bubblewrap.firm(tools, true), Limits.NONE.withoutNetwork()))
                .contains("--die-with-parent", "--unshare-net", "--cap-drop", "--new-session");
        assertThat(words(Bubblewrap.loose(tools, true), Limits.NONE))
                .contains("--die-with-parent", "--dev-bind")
                .doesNotContain("--unshare-net", "--cap-drop");
    }

    @Test
    void whatIsHiddenHasRoomForNoMoreThanItsMemory() throws Exception {
        var limits = Limits.NONE.withMemoryBytes(64 << 20).withReadable(List.of(folder));

        assertThat(String.join(" ", words(Bubblewrap.firm(tools(), true), limits)))
                .contains("--size 67108864 --tmpfs /tmp");
    }

    @ParameterizedTest
    @CsvSource({"5.13.19-generic, false", "5.14.0, true", "6.1.0-18-amd64, true", "4.19.0, false", "odd, false"})
    void ordinaryUsersAreCountedByNamespaceSince514(String version, boolean counts) {
        assertThat(Kernel.countsByNamespace(version)).isEqualTo(counts);
    }
}
