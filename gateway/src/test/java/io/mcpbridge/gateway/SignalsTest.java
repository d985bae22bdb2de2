package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a daemon in a process of its own does when it is sent signals. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class SignalsTest {
    private final ToolScript script = new ToolScript("tool", "echo", "hang");
    private final DaemonFixture fixture;
    private final Path file;
    private final Path log;
    private Process process;

    SignalsTest() throws Exception {
        fixture = new DaemonFixture();
        file = fixture.folder.resolve("mcp.json");
        log = fixture.folder.resolve("log");
        fixture.unix("tool", script);
        fixture.child("child", "echo");
        Files.writeString(file, fixture.json());
        process = start();
    }

    @BeforeEach
    void awaitSocket() {
        Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
    }

    @AfterEach
    void close() throws Exception {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
        fixture.close();
    }

    @Test
    void termEndsItInGoodOrder() throws Exception {
        var client = fixture.client("one");
        client.call("child__echo", "{}");
        var child = process.descendants().findFirst().orElseThrow();
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        signal("TERM");

        Eventually.holds(
                "new calls to be refused",
                () -> client.call("tool__echo", "{}").json().contains("-31009"));
        assertThat(process.isAlive()).isTrue();
        assertThat(script.answerOne()).isTrue();
        assertThat(client.answer(call).isError()).isFalse();
        assertThat(exitCode()).isZero();
        assertThat(child.isAlive()).isFalse();
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void secondSignalEndsItAtOnce() throws Exception {
        var client = fixture.client("one");
        client.call("child__echo", "{}");
        var child = process.descendants().findFirst().orElseThrow();
        var call = client.callLater("tool__hang", "{}");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);
        signal("TERM");
        Eventually.holds(
                "new calls to be refused",
                () -> client.call("tool__echo", "{}").json().contains("-31009"));

        signal("INT");

        assertThat(client.answer(call).json()).contains("-31009");
        assertThat(exitCode()).isZero();
        assertThat(child.isAlive()).isFalse();
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void hangUpReadsTheConfigurationAgainAndNeverEndsIt() throws Exception {
        var client = fixture.client("one");
        assertThat(client.toolNames()).containsExactly("tool__echo", "tool__hang", "child__echo");

        Files.writeString(file, "{\"mcpServers\": {\n\"tool\": 7}}");
        signal("HUP");
        Eventually.holds("the mistake to be logged", () -> logged("line 2: 'mcpServers.tool' is 7"));
        assertThat(client.toolNames()).containsExactly("tool__echo", "tool__hang", "child__echo");

        Files.writeString(file, fixture.without("child").json());
        signal("HUP");
        Eventually.holds("the child to be gone", () -> client.toolNames().size() == 2);
        assertThat(process.isAlive()).isTrue();
    }

    private Process start() throws Exception {
        var command = new ArrayList<>(heedingSignals());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DaemonProgram.class.getName(),
                file.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** A build in the background ignores INT and HUP, and so would its children; {@code env} of GNU mends that. */
    private static List<String> heedingSignals() throws Exception {
        var mended = List.of("env", "--default-signal=HUP,INT");
        var tried = new ArrayList<>(mended);
        tried.add("true");
        var trial = new ProcessBuilder(tried).redirectErrorStream(true).start();
        return trial.waitFor() == 0 ? mended : List.of();
    }

    private void signal(String name) throws Exception {
        var sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(sent.waitFor()).isZero();
    }

    private int exitCode() throws InterruptedException {
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private boolean logged(String words) {
        try {
            return Files.readString(log).contains(words);
        } catch (IOException unreadable) {
            return false;
        }
    }
}
