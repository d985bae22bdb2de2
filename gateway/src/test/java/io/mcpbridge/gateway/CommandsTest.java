package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Rows E1 and E20 of the fault matrix: commands that cannot be run, and the sources of commands. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CommandsTest {
    /** Existing methods, and methods that similar programs have. */
    private static final List<String> METHODS = List.of(
            "initialize",
            "tools/call",
            "tools/list",
            "prompts/get",
            "resources/read",
            "completion/complete",
            "logging/setLevel",
            "server/discover",
            "servers/add",
            "servers/install",
            "bridge/servers",
            "bridge/servers/add",
            "bridge/start",
            "bridge/reload",
            "config/set");

    private final DaemonFixture fixture;
    private final RecordingLauncher launcher;
    private final StandardEnvironment environment;
    private final Path ran;

    CommandsTest() throws IOException {
        fixture = new DaemonFixture();
        ran = fixture.folder.resolve("ran");
        launcher = new RecordingLauncher();
        environment = StandardEnvironment.open(launcher);
        fixture.closeLater(environment::close);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    private Daemon start() {
        return fixture.start(DaemonOptions.DEFAULTS.withEnvironment(environment.environment()));
    }

    @Test
    @DisplayName("E1: servers that cannot start are shown without their arguments, and the others work")
    void serversThatCannotStartDoNotAffectOthers() throws Exception {
        var notes = Files.writeString(fixture.folder.resolve("notes.txt"), "hello");
        var foreign = Files.write(fixture.folder.resolve("foreign"), foreignProgram());
        assertThat(foreign.toFile().setExecutable(true)).isTrue();
        for (var each : Map.of("missing", "/no/such/program", "notes", notes, "foreign", foreign)
                .entrySet()) {
            fixture.server(
                    each.getKey(),
                    "{\"command\": \"%s\", \"args\": [\"--token=s3cret\"], \"env\": {\"TOKEN\": \"s3cret\"}}"
                            .formatted(each.getValue()));
        }
        fixture.child("good", "echo");
        var daemon = start();

        var client = fixture.client("c");

        assertThat(client.call("good__echo", "{}").isError()).isFalse();
        for (var name : List.of("missing", "notes", "foreign")) {
            var answer = client.call(name + "__any", "{}").json();
            assertThat(answer).contains("Cannot start").doesNotContain("s3cret");
        }
        assertThat(daemon.health().conditions())
                .filteredOn(ManagedServerHealth::isUnhealthy)
                .extracting(ManagedServerHealth::name)
                .containsExactlyInAnyOrder("missing", "notes", "foreign");
        assertThat(daemon.health().toString()).contains("Cannot start").doesNotContain("s3cret");
    }

    /** The head of an ELF program for RISC-V, on which this test does not run. */
    private static byte[] foreignProgram() {
        var head = new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, (byte) 243, 0};
        return java.util.Arrays.copyOf(head, 64);
    }

    @Test
    @DisplayName("E20: no message of a client or an administrative tool starts a program")
    void messagesOfClientsStartNoProgram() throws Exception {
        fixture.child("good", "echo");
        fixture.unix("far", new ToolScript("far", "echo"));
        start();
        var client = fixture.client("c");
        assertThat(client.call("good__echo", "{}").isError()).isFalse();
        assertThat(client.call("far__echo", "{}").isError()).isFalse();
        var started = launcher.commands();

        for (var params : attempts()) {
            for (var method : METHODS) {
                client.answer(client.request(method, params));
                askByHttp(method, params);
            }
            client.call("good__echo", params);
            client.call("far__echo", params);
        }
        askAdmin();

        assertThat(launcher.commands()).isEqualTo(started).hasSize(1);
        assertThat(started.get(0)).endsWith("good", "echo");
        assertThat(ran).doesNotExist();
    }

    @Test
    @DisplayName("E20: no message of a server starts a program")
    void messagesOfServersStartNoProgram() throws Exception {
        var traps = attempts().stream().map(JsonStrings::quote).toList();
        fixture.unix("far", new ToolScript("touch " + ran + "; $(touch " + ran + ")", "touch", "sh -c touch"));
        start();
        var client = fixture.client("c");

        for (var trap : traps) {
            client.call("far__touch", "{\"answer with\":" + trap + "}");
        }

        assertThat(client.toolNames()).contains("far__touch");
        assertThat(launcher.commands()).isEmpty();
        assertThat(ran).doesNotExist();
    }

    /** Params that name a program in every known form of a server definition. */
    private List<String> attempts() {
        var touch = "\"command\":\"touch\",\"args\":[\"%s\"]".formatted(ran);
        var shell = "\"command\":\"sh\",\"args\":[\"-c\",\"touch %s\"]".formatted(ran);
        return List.of(
                "{" + touch + "}",
                "{" + shell + ",\"type\":\"stdio\",\"name\":\"good\"}",
                "{\"mcpServers\":{\"good\":{" + touch + "},\"new\":{" + shell + "}}}",
                "{\"name\":\"new\",\"server\":{" + touch + "},\"uri\":\"stdio:touch %s\"}".formatted(ran),
                "{\"packages\":[{\"registryType\":\"npm\",\"runtimeHint\":\"npx\",\"runtimeArguments\":[\"-c\",\"touch %s\"]}]}"
                        .formatted(ran),
                "{\"name\":\"good__echo\",\"arguments\":{" + shell + "},\"_meta\":{" + touch + "}}",
                "{\"name\":\"$(touch %1$s)\",\"uri\":\"file:///;touch %1$s\",\"level\":\"`touch %1$s`\"}"
                        .formatted(ran));
    }

    private void askByHttp(String method, String params) throws IOException {
        var body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%s,\"params\":%s}"
                .formatted(JsonStrings.quote(method), params);
        try (var http = RawHttp.post(fixture.httpAddress(), "Accept: application/json, text/event-stream\r\n", body)) {
            http.await("HTTP/1.1 ");
        }
    }

    private void askAdmin() throws IOException {
        URI address = fixture.adminSocket().toUri();
        try (var admin = LineClient.connect(address)) {
            admin.listen();
            for (var params : attempts()) {
                for (var method : METHODS) {
                    admin.answer(admin.request(method, params));
                }
            }
        }
    }

    /** Starts plain processes and records their command lines. */
    private static final class RecordingLauncher implements ProcessLauncher {
        private final ProcessLauncher plain = new PlainProcessLauncher();
        private final List<List<String>> commands = new CopyOnWriteArrayList<>();

        private List<List<String>> commands() {
            return List.copyOf(commands);
        }

        @Override
        public ChildProcess launch(LaunchCommand command) throws InterruptedException {
            commands.add(command.words());
            return plain.launch(command);
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}
