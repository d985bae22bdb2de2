package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Children that look for the files and sockets of the bridge. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class HiddenPathsTest {
    @TempDir
    Path folder;

    private Path configuration;
    private Path token;
    private ServerSocketChannel socket;
    private SandboxLauncher launcher;

    @BeforeEach
    void makeFiles() throws Exception {
        configuration = Files.createDirectories(folder.resolve("config/mcp-bridge"));
        Files.writeString(configuration.resolve("mcp.json"), "s3cret\n");
        var state = Files.createDirectories(folder.resolve("state/mcp-bridge"));
        Files.writeString(state.resolve("audit.key"), "s3cret\n");
        token = Files.writeString(folder.resolve("token"), "s3cret\n");
        var runtime = Files.createDirectories(folder.resolve("run/mcp-bridge"));
        socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        socket.bind(UnixDomainSocketAddress.of(runtime.resolve("bridge.sock")));
        var variables = new HashMap<>(System.getenv());
        variables.putAll(Map.of(
                "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                "XDG_STATE_HOME", folder.resolve("state").toString(),
                "XDG_RUNTIME_DIR", folder.resolve("run").toString()));
        launcher = SandboxLauncher.open(Settings.of(Map.of()), PlainProcessLauncher.apart(), variables);
    }

    @AfterEach
    void close() throws Exception {
        launcher.close();
        socket.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = SandboxLevel.class,
            names = {"L1", "L2", "L3"})
    void bridgeFilesAreHiddenFromL2On(SandboxLevel level) throws Exception {
        Sandboxes.assume(level);

        var seen = said(
                level,
                ProcessLimits.NONE,
                "cat $1/config/mcp-bridge/mcp.json; cat $1/state/mcp-bridge/audit.key;"
                        + " test -S $1/run/mcp-bridge/bridge.sock && echo socket; echo asked");

        assertThat(seen).isEqualTo(level == SandboxLevel.L1 ? "s3cret\ns3cret\nsocket\nasked\n" : "asked\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "umount $1/config/mcp-bridge",
                "umount -l $1/config/mcp-bridge",
                "unshare --user --map-root-user --mount umount $1/config/mcp-bridge",
                "unshare --mount --propagation private umount $1/config/mcp-bridge",
                "nsenter --mount=/proc/1/ns/mnt umount $1/config/mcp-bridge",
                "mv $1/config $1/moved && cd $1/moved && cat mcp-bridge/mcp.json",
                "cat /proc/1/root$1/config/mcp-bridge/mcp.json",
                "rm -r $1/config/mcp-bridge"
            })
    void childCannotUnmountTheCovers(String attempt) throws Exception {
        Sandboxes.assume(SandboxLevel.L2);

        var seen =
                said(SandboxLevel.L2, ProcessLimits.NONE, attempt + "; cat $1/config/mcp-bridge/mcp.json; echo asked");

        assertThat(seen).isEqualTo("asked\n");
    }

    @Test
    void hiddenPathsOfTheLimitsAreHidden() throws Exception {
        Sandboxes.assume(SandboxLevel.L2);
        var limits = ProcessLimits.NONE.withHidden(List.of(token, folder.resolve("missing")));

        assertThat(limits.needs()).isEqualTo(SandboxLevel.L2);
        assertThat(said(SandboxLevel.L2, limits, "cat $1/token; echo asked")).isEqualTo("asked\n");
        assertThat(token).hasContent("s3cret");
    }

    @ParameterizedTest
    @EnumSource(
            value = SandboxLevel.class,
            names = {"L2", "L3"})
    void filesInAHiddenFolderAndTargetsOfLinksInItAreHidden(SandboxLevel level) throws Exception {
        Sandboxes.assume(level);
        var link = Files.createSymbolicLink(configuration.resolve("token"), token);
        var limits = ProcessLimits.NONE.withHidden(List.of(configuration.resolve("mcp.json"), link));

        assertThat(said(level, limits, "cat $1/config/mcp-bridge/mcp.json $1/token; echo asked"))
                .isEqualTo("asked\n");
    }

    @Test
    void wrapperOfAnOrdinaryUserHidesPathsToo() throws Exception {
        var wrapper = new UnshareWrapper(SystemTools.on(System.getenv().getOrDefault("PATH", "")), false);
        Sandboxes.assume(wrapper);
        var limits = ProcessLimits.NONE.withHidden(List.of(configuration, token));
        var script = "umount $1/token; cat $1/token $1/config/mcp-bridge/mcp.json; echo asked";

        try (var plain = PlainProcessLauncher.apart()) {
            var child = plain.launch(wrapper.wrap(
                    shell("(" + script + ") 2>/dev/null", folder.toString()).within(limits)));

            assertThat(text(child.stdout())).isEqualTo("asked\n");
        }
    }

    @Test
    void commandInAHiddenFolderIsRejectedWithTheReason() {
        Sandboxes.assume(SandboxLevel.L2);
        var command =
                shell("cat $1", configuration.resolve("server.js").toString()).requiring(SandboxLevel.L2);

        assertThat(launcher.refusal(command)).isPresent();
        assertThatThrownBy(() -> launcher.launch(command))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot start 'sh'", "'" + configuration + "'", "move the file", "L1");
    }

    private String said(SandboxLevel level, ProcessLimits limits, String script) throws Exception {
        return text(launcher.launch(shell("(" + script + ") 2>/dev/null", folder.toString())
                        .requiring(level)
                        .within(limits))
                .stdout());
    }
}
