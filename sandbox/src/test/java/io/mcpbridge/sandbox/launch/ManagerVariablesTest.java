package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The arguments of a {@code systemd-run} with the manager of an ordinary user, and the variables of the child. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ManagerVariablesTest {
    private static final Map<String, String> OWN = Map.of(
            "XDG_RUNTIME_DIR", "/run/user/7", "DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/7/bus", "TOKEN", "ours");

    private final PlainProcessLauncher plain = new PlainProcessLauncher();

    @TempDir
    Path folder;

    private Path record;
    private SystemTools tools;

    @BeforeEach
    void makeTheTools() throws Exception {
        record = folder.resolve("record");
        Sandboxes.script(
                folder.resolve("systemd-run"),
                "env > %s; while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"".formatted(record));
        tools = SystemTools.on(folder + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        Sandboxes.assume(new SetprivWrapper(tools));
    }

    @AfterEach
    void close() {
        plain.close();
    }

    private LaunchCommand child(Map<String, String> variables) {
        var all = new HashMap<>(variables);
        all.put("PATH", "/usr/bin:/bin");
        return LaunchCommand.of(List.of("env"), all);
    }

    private String seenBy(LaunchCommand child, boolean isRoot) throws Exception {
        var scope =
                new SystemdScopeWrapper(ControlGroupCheck.OF_THE_SYSTEM, tools, new SetprivWrapper(tools), isRoot, OWN);
        return text(plain.launch(scope.wrap(child.within(ProcessLimits.NONE.withProcesses(5))))
                .stdout());
    }

    @Test
    void userManagerIsFoundByOurVariables() throws Exception {
        seenBy(child(Map.of("XDG_RUNTIME_DIR", "/else", "GIVEN", "to the child")), false);

        assertThat(Files.readString(record))
                .contains("XDG_RUNTIME_DIR=/run/user/7\n", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/7/bus\n")
                .doesNotContain("TOKEN=");
    }

    @Test
    void childHasNoneOfTheManagerVariables() throws Exception {
        assertThat(seenBy(child(Map.of("GIVEN", "to the child")), false))
                .contains("GIVEN=to the child\n")
                .doesNotContain("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS");
    }

    @Test
    void childKeepsTheVariablesItWasGiven() throws Exception {
        var given = Map.of("XDG_RUNTIME_DIR", "/it's", "DBUS_SESSION_BUS_ADDRESS", "its own", "LD_AUDIT", "");

        assertThat(seenBy(child(given), false))
                .contains("XDG_RUNTIME_DIR=/it's\n", "DBUS_SESSION_BUS_ADDRESS=its own\n")
                .doesNotContain("MCP_BRIDGE_");
    }

    @Test
    void systemManagerNeedsNoVariables() throws Exception {
        seenBy(child(Map.of()), true);

        assertThat(Files.readString(record)).doesNotContain("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS");
    }
}
