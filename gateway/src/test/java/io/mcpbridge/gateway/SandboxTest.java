package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SandboxTest {
    private final DaemonFixture fixture;

    SandboxTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    /** The default level of this machine. */
    private static SandboxLevel usual() {
        var choice = SandboxChoice.of(Settings.of(Map.of()));
        try (var launcher = choice.open(new PlainProcessLauncher())) {
            return launcher.level();
        }
    }

    private ManagedServerStatus record(String name) {
        return fixture.running().servers().stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void childrenHaveTheDefaultLevelOfTheMachine() throws Exception {
        fixture.child("one", "echo");
        var sink = new RecordingAuditSink();
        var daemon = fixture.start(DaemonOptions.DEFAULTS.withAuditSink(sink));

        fixture.client("c").call("one__echo", "{}");

        assertThat(daemon.health().sandbox().level()).isEqualTo(usual().name());
        assertThat(record("one").sandbox()).contains(usual());
        assertThat(sink.enters().get(0).call().sandbox()).isEqualTo(usual().name());
        var pid = record("one").pid().orElseThrow();
        assertThat(ProcessHandle.of(pid).orElseThrow().info().command())
                .hasValueSatisfying(program -> assertThat(program).endsWith("java"));
    }

    @Test
    void serverWithoutAChildProcessHasNoLevel() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "echo"));
        fixture.start();

        assertThat(record("tool").sandbox()).isEmpty();
    }

    @Test
    void serverMayHaveItsOwnLevel() throws Exception {
        var section = DaemonFixture.childSection("free", "echo");
        fixture.server("free", section.replaceFirst("\\{", "{\"sandbox\": {\"level\": \"L0\"}, "));
        fixture.start();

        assertThat(fixture.client("c").call("free__echo", "{}").json()).contains("\"result\"");
        assertThat(record("free").sandbox()).contains(SandboxLevel.L0);
        try (var admin = DaemonClient.connect(fixture.adminSocket())) {
            assertThat(admin.health()).isEqualTo(fixture.running().health());
            assertThat(admin.health().conditions())
                    .extracting(ManagedServerHealth::sandbox)
                    .containsExactly(Optional.of(SandboxLevel.L0));
        }
    }

    @Test
    void privateFilesOfTheDaemonAreHiddenFromChildren() throws Exception {
        assumeTrue(usual().covers(SandboxLevel.L2), "needs L2");
        var folder = fixture.folder;
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        var script = "cd %s; cat mcp.json token trail.key; ls trail; test -S bridge.sock && echo socket;"
                + " test -S admin.sock && echo socket; echo asked";
        fixture.server(
                "one",
                "{\"command\": \"sh\", \"args\": [\"-c\", \"(%s) > %s/seen 2>/dev/null\"], \"env\": {\"TOKEN\": \"${file:token}\"}}"
                        .formatted(script.formatted(folder), folder));
        fixture.bridge("\"audit\": {\"path\": \"%s/trail\"}, ".formatted(folder));
        var file = Files.writeString(folder.resolve("mcp.json"), fixture.json());

        fixture.start(BridgeConfiguration.read(file, Map.of()));
        fixture.client("alice").callLater("one__echo", "{}");

        var seen = folder.resolve("seen");
        Eventually.holds("the child to look", () -> seen.toFile().length() > 0);
        assertThat(seen).hasContent("asked");
    }

    @Test
    void limitsOfTheBridgeAreTheDefaultForServers() {
        fixture.child("one", "echo");
        fixture.bridge("\"sandbox\": {\"level\": \"L0\", \"maxOpenFiles\": 512}, ");

        var server = fixture.configuration().server("one").orElseThrow();

        assertThat(server.settings().section("sandbox").integer("maxOpenFiles", 0))
                .isEqualTo(512);
    }

    @Test
    @DisplayName("E18: a server with an unavailable sandbox level is omitted with the reason")
    void serverWithUnavailableLevelIsOmitted() throws Exception {
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server("one", section.replaceFirst("\\{", "{\"sandbox\": {\"level\": \"L1\"}, "));
        try (var environment = io.mcpbridge.StandardEnvironment.open(new PlainProcessLauncher())) {
            fixture.start(DaemonOptions.DEFAULTS.withEnvironment(environment.environment()));

            assertThat(record("one").state()).isEqualTo("unavailable");
            assertThat(record("one").error()).contains("to be held at level L1", "io.mcpbridge:mcp-bridge-sandbox");
        }
    }

    @Test
    @DisplayName("E18: a level that the launcher of the program lacks fails the start")
    void requiredLevelThatIsUnavailableFailsTheStart() {
        fixture.bridge("\"sandbox\": {\"level\": \"L1\"}, ");
        try (var environment = io.mcpbridge.StandardEnvironment.open(new PlainProcessLauncher())) {
            var options = DaemonOptions.DEFAULTS.withEnvironment(environment.environment());

            assertThatThrownBy(() -> fixture.start(options))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'level' of 'sandbox'");
        }
    }

    @Test
    void reportedLevelIsThatOfPerCallProcesses() throws Exception {
        assumeTrue(usual().covers(SandboxLevel.L1), "needs L1");
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server(
                "one", section.replaceFirst("\\{", "{\"isolation\": \"call\", \"sandbox\": {\"level\": \"L0\"}, "));

        var report = SandboxReport.of(fixture.configuration());
        fixture.start();

        // Its memory limit requires L1.
        assertThat(report.servers()).containsEntry("one", SandboxLevel.L1);
        assertThat(record("one").sandbox()).contains(SandboxLevel.L1);
    }

    @Test
    void missingPathsAreReported() {
        var section = DaemonFixture.childSection("one", "echo");
        var paths = "\"readable\": [\"/none/r\", \"%s\"], \"writable\": [\"/none/w\"]".formatted(fixture.folder);
        fixture.server("one", section.replaceFirst("\\{", "{\"sandbox\": {" + paths + "}, "));

        assertThat(SandboxReport.of(fixture.configuration()).missing())
                .contains(
                        "server 'one' lists '/none/r' in 'readable', which does not exist: create it, or the server cannot"
                                + " start",
                        "server 'one' lists '/none/w' in 'writable', which does not exist: create it, or the server cannot"
                                + " start")
                .noneMatch(words -> words.contains(fixture.folder.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"readable\": [\"/srv\", \"/proc\"]", "\"writable\": [\"/proc\"]", "\"readable\": [\"/\"]"})
    @DisplayName("E19: a server that would see other processes is omitted, as the check says")
    void serverThatExposesOtherProcessesIsOmitted(String confinement) throws Exception {
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server("one", section.replaceFirst("\\{", "{\"sandbox\": {" + confinement + "}, "));

        var report = SandboxReport.of(fixture.configuration());
        fixture.start();

        assertThat(report.missing())
                .singleElement()
                .asString()
                .startsWith("server 'one' is left out: line ")
                .contains("able' is '/", "but must be neither in '/proc'");
        assertThat(record("one").error()).contains("but must be neither in '/proc'");
    }

    @Test
    void workingFolderThatExposesAllFilesIsReportedBeforeTheFirstCall() {
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server(
                "one", section.replaceFirst("\\{", "{\"cwd\": \"/\", \"sandbox\": {\"readable\": [\"/srv\"]}, "));

        assertThat(SandboxReport.of(fixture.configuration()).missing())
                .singleElement()
                .asString()
                .startsWith("server 'one' is left out: ")
                .contains("cwd' is '/' but must be neither in '/proc'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"level\": \"L0\", \"readable\": [\"/usr\"]|has sandbox level L3 instead of L0, because its limits need it:"
                        + " readable",
                "\"level\": \"L2\", \"network\": false|has sandbox level L3 instead of L2, because its limits need it:"
                        + " network = false",
                "\"level\": \"L1\", \"maxProcesses\": 9|has sandbox level L2 instead of L1, because its limits need it:"
                        + " max-processes = 9"
            })
    void raisedLevelIsReported(String confinement, String words) {
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server("one", section.replaceFirst("\\{", "{\"sandbox\": {" + confinement + "}, "));

        assertThat(SandboxReport.of(fixture.configuration()).raised())
                .singleElement()
                .asString()
                .startsWith("server 'one' has ")
                .contains(words);
    }

    @Test
    void sufficientLevelIsNotReported() {
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server("one", section.replaceFirst("\\{", "{\"sandbox\": {\"level\": \"L2\", \"maxProcesses\": 9}, "));

        assertThat(SandboxReport.of(fixture.configuration()).raised()).isEmpty();
    }

    @Test
    void variableThatCannotBeHiddenIsReportedBeforeTheFirstCall() throws Exception {
        assumeTrue(usual().covers(SandboxLevel.L1), "needs L1");
        var section = DaemonFixture.childSection("one", "echo");
        fixture.server("one", section.replaceFirst("\\{", "{\"env\": {\"SHELLOPTS\": \"s3cret\"}, "));

        var report = SandboxReport.of(fixture.configuration());
        fixture.start();

        assertThat(report.missing())
                .singleElement()
                .asString()
                .startsWith("server 'one' is left out: ")
                .contains("the variable 'SHELLOPTS' would act on the shells of its sandbox", "remove it from 'env'")
                .doesNotContain("s3cret");
        assertThat(record("one").error()).contains("'SHELLOPTS'");
    }

    @Test
    void changedLevelRequiresARestart() {
        var daemon = fixture.start();
        fixture.bridge("\"sandbox\": {\"level\": \"L0\"}, ");

        assertThatThrownBy(() -> daemon.reload(fixture.configuration()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'level' of 'bridge.sandbox' was 'auto' and is 'L0', which takes a restart");
    }

    @Test
    @DisplayName("E8, G4: no child survives a killed daemon, not even one that reads no input")
    void noChildSurvivesAKilledDaemon() throws Exception {
        assumeTrue(usual().covers(SandboxLevel.L2), "needs L2");
        var server = Files.writeString(
                fixture.folder.resolve("server"), "setsid sleep 1000 </dev/null >/dev/null 2>&1 & exec \"$@\"\n");
        fixture.server(
                "one",
                DaemonFixture.childSection("one", "echo")
                        .replaceFirst(
                                "\"command\": (\"[^\"]*\"), \"args\": \\[",
                                "\"command\": \"sh\", \"args\": [\"" + server + "\", $1, "));
        var file = Files.writeString(fixture.folder.resolve("mcp.json"), fixture.json());
        try (var process = DaemonProcess.start(file, fixture.folder.resolve("log"))) {
            Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
            fixture.client("c").call("one__echo", "{}");
            // A shell is still a shell for a moment after it forked.
            Eventually.holds(
                    "the other child to begin",
                    () -> process.descendants()
                            .anyMatch(child -> child.info().command().orElse("").endsWith("/sleep")));
            var children = process.descendants().toList();

            process.signal("KILL");

            Eventually.holds("the end of all children", () -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        Files.deleteIfExists(fixture.folder.resolve("bridge.sock"));
    }
}
