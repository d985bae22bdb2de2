package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.command;
import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** E19: a child at L3 that looks for ways out. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConfinedChildTest {
    private final SandboxLauncher launcher = Sandboxes.open();

    @TempDir
    Path folder;

    private Path inside;
    private Path outside;

    @BeforeAll
    static void assumeTheLevel() {
        Sandboxes.assume(SandboxLevel.L3);
    }

    @BeforeEach
    void makeFiles() throws Exception {
        inside = Files.createDirectory(folder.resolve("inside"));
        Files.writeString(inside.resolve("note"), "for the child\n");
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "s3cret\n");
        Files.createSymbolicLink(inside.resolve("link"), outside.resolve("secret"));
        Files.createSymbolicLink(inside.resolve("up"), folder);
    }

    @AfterEach
    void close() {
        launcher.close();
    }

    private String said(ProcessLimits limits, String script) throws Exception {
        return text(launcher.launch(shell(script + " 2>/dev/null", inside.toString(), outside.toString())
                        .within(limits))
                .stdout());
    }

    @Test
    void readablePathCanBeRead() throws Exception {
        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), "cat $1/note"))
                .isEqualTo("for the child\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2/secret",
                "$1/link",
                "$1/../outside/secret",
                "$1/up/outside/secret",
                "/proc/1/root$2/secret",
                "/proc/self/root$2/secret",
                "/proc/1/cwd/../outside/secret",
                "/etc/passwd",
                "/etc/shadow",
                "/proc/1/root/etc/passwd"
            })
    @DisplayName("E19: a path that is not named cannot be read by any route")
    void otherPathsCannotBeRead(String path) throws Exception {
        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), "cat " + path))
                .isEmpty();
    }

    @Test
    @DisplayName("E19: a readable path cannot be changed, and a writable one can")
    void onlyWritablePathsCanBeChanged() throws Exception {
        var writable = Files.createDirectory(inside.resolve("out"));
        var limits = ProcessLimits.NONE.withReadable(List.of(inside)).withWritable(List.of(writable));

        said(limits, "echo x > $1/note; echo x > $1/new; echo x > /usr/new; echo kept > $1/out/new");

        assertThat(inside.resolve("note")).hasContent("for the child");
        assertThat(inside.resolve("new")).doesNotExist();
        assertThat(Path.of("/usr/new")).doesNotExist();
        assertThat(writable.resolve("new")).hasContent("kept");
    }

    @Test
    @DisplayName("E19: without network not even the loopback interface is reachable")
    void nothingIsReachableWithoutNetwork() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash, which opens connections");
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var script = "exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort();

            var with = launcher.launch(command("bash", "-c", script).requiring(SandboxLevel.L3));
            var without = launcher.launch(command("bash", "-c", script).within(ProcessLimits.NONE.withoutNetwork()));

            assertThat(exitCode(with)).isZero();
            assertThat(exitCode(without)).isNotZero();
        }
    }

    @Test
    @DisplayName("E19: the processes of others are invisible")
    void processesOfOthersAreInvisible() throws Exception {
        var ours = ProcessHandle.current().pid();

        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), "cat /proc/%d/cmdline".formatted(ours)))
                .isEmpty();
    }

    @Test
    @DisplayName("E19: a child has no capabilities beyond those of its user")
    void childHasNoCapabilities() throws Exception {
        assertThat(said(ProcessLimits.NONE.withoutNetwork(), "grep CapEff /proc/self/status"))
                .isEqualTo("CapEff:\t0000000000000000\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger"})
    @DisplayName("E19: system settings cannot be changed, not even by root")
    void systemSettingsCannotBeChanged(String file) throws Exception {
        var script = "test -e %1$s && (: >> %1$s) 2>/dev/null && echo open; echo asked".formatted(file);

        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), script))
                .isEqualTo("asked\n");
        assertThat(said(ProcessLimits.NONE.withoutNetwork(), script)).isEqualTo("asked\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/shm", "/tmp"})
    @DisplayName("E19: files in memory are bounded by the memory limit")
    void filesInMemoryAreBoundedByTheMemoryLimit(String place) throws Exception {
        var limits = ProcessLimits.NONE.withReadable(List.of(inside)).withMemoryBytes(32 << 20);
        var script = "head -c 40000000 /dev/zero 2>/dev/null > %1$s/big; wc -c < %1$s/big".formatted(place);

        assertThat(said(limits, script)).isEqualTo((32 << 20) + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/shm", "/dev/mqueue"})
    @DisplayName("A3: without network and with all files, a child has its own shared memory and message queues")
    void sharedMemoryAndQueuesAreNotThoseOfTheSystem(String place) throws Exception {
        assumeTrue(Files.isDirectory(Path.of(place)), "needs " + place);
        var ours = Files.createTempFile(Path.of(place), "mcp-bridge", ".ours");
        var made = Path.of(place, ours.getFileName() + ".made");
        try {
            var script = "ls %s; touch %s; test -e %2$s && echo made".formatted(place, made);

            assertThat(said(ProcessLimits.NONE.withoutNetwork(), script))
                    .doesNotContain(ours.getFileName() + "\n")
                    .endsWith("made\n");
            assertThat(made).doesNotExist();
        } finally {
            Files.delete(ours);
            Files.deleteIfExists(made);
        }
    }

    @Test
    void withoutNetworkAloneTheFileSystemIsUnchanged() throws Exception {
        said(ProcessLimits.NONE.withoutNetwork(), "echo new > $2/new");

        assertThat(outside.resolve("new")).hasContent("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dev", "/etc", "/proc"})
    void parentFoldersOfOtherFilesAreNotWritable(String place) throws Exception {
        var script = "(echo x > %s/own) 2>/dev/null && echo made; echo asked".formatted(place);

        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), script))
                .isEqualTo("asked\n");
    }

    @Test
    @DisplayName("E19: certificates are readable, the private keys beside them are not")
    void privateKeysBesideCertificatesAreInvisible() throws Exception {
        var script = "ls /etc/ssl /etc/pki /etc/pki/tls | grep private; echo asked";

        assertThat(said(ProcessLimits.NONE.withReadable(List.of(inside)), script))
                .isEqualTo("asked\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/usr/..", "/proc", "/proc/self", "/sys", "/dev"})
    void workingFolderThatExposesAllFilesIsRejected(String all) {
        var limits = ProcessLimits.NONE.withReadable(List.of(inside));

        assertThatThrownBy(() ->
                        launcher.launch(command("cat").inFolder(Path.of(all)).within(limits)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot start 'cat'", "working folder '/", "set 'cwd'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/proc", "/dev/shm"})
    @DisplayName("E19: a link that was changed to a kernel file system after the limits were read is rejected")
    void linkThatLeadsToAKernelFileSystemByNowIsRejected(String place) throws Exception {
        var link = folder.resolve("elsewhere");
        var limits = ProcessLimits.NONE.withReadable(List.of(link));
        Files.createSymbolicLink(link, Path.of(place));

        assertThatThrownBy(() -> launcher.launch(command("cat").within(limits)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot start 'cat'", "'readable'", "which leads to '" + place);
    }

    @Test
    @DisplayName("E19: a named file of the shared memory is visible, those beside it are not")
    void onlyTheNamedSharedMemoryIsVisible() throws Exception {
        var named = Files.createTempDirectory(Path.of("/dev/shm"), "mcp-bridge");
        var other = Files.createTempFile(Path.of("/dev/shm"), "mcp-bridge", ".other");
        try {
            var script = "echo kept > %s/new; cat %s && echo seen; touch /dev/shm/own && echo made";

            assertThat(said(ProcessLimits.NONE.withWritable(List.of(named)), script.formatted(named, other)))
                    .isEqualTo("made\n");
            assertThat(named.resolve("new")).hasContent("kept");
            assertThat(Path.of("/dev/shm/own")).doesNotExist();
        } finally {
            Files.deleteIfExists(named.resolve("new"));
            Files.delete(named);
            Files.delete(other);
        }
    }

    @Test
    void childHasItsOwnTmp() throws Exception {
        assertThat(said(
                        ProcessLimits.NONE.withReadable(List.of(inside)),
                        "ls /tmp | wc -l; touch /tmp/own && echo made"))
                .endsWith("made\n");
        assertThat(Path.of("/tmp/own")).doesNotExist();
    }

    @Test
    void missingPathIsNamed() {
        var limits = ProcessLimits.NONE.withWritable(List.of(folder.resolve("missing")));

        assertThatThrownBy(() -> launcher.launch(command("cat").within(limits)))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("Cannot start 'cat'", "writable path", "/missing' does not exist");
    }
}
