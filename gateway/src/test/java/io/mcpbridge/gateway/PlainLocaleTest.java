package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A daemon in an ASCII locale. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class PlainLocaleTest {
    private static final String ARGUMENTS = "{\"text\":\"Gr\u00fc\u00dfe \ud83d\ude80 \u6f22\u5b57\"}";

    private final DaemonFixture fixture;

    PlainLocaleTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    @DisplayName("E16: messages are UTF-8 over all transports")
    void messagesAreUtf8OverAllTransports() throws Exception {
        fixture.child("child", "echo");
        fixture.http("web", new ToolScript("web", "echo"));
        fixture.unix("tool", new ToolScript("tool", "echo"));
        var file = Files.writeString(fixture.folder.resolve("mcp.json"), fixture.json());

        try (var process = DaemonProcess.startInPlainLocale(file, fixture.folder.resolve("log"))) {
            Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
            var client = fixture.client("one");

            for (var server : new String[] {"child", "web", "tool"}) {
                assertThat(client.call(server + "__echo", ARGUMENTS).raw(MessageField.RESULT))
                        .as(server)
                        .hasValueSatisfying(result -> assertThat(result).contains(ARGUMENTS));
            }
            process.signal("TERM");
            assertThat(process.exitCode()).isZero();
        }
    }

    @Test
    @DisplayName(
            "E16: a command that the locale cannot encode is rejected rather than changed, and the others continue")
    void commandThatTheLocaleCannotEncodeIsRejected() throws Exception {
        fixture.child("good", "echo");
        fixture.server("argument", "{\"command\": \"cat\", \"args\": [\"Gr\u00fc\u00dfe\"]}");
        fixture.server("variable", "{\"command\": \"cat\", \"env\": {\"GREETING\": \"Gr\u00fc\u00dfe\"}}");
        fixture.server("program", "{\"command\": \"gr\u00fc\u00dfe\"}");
        fixture.server("file", "{\"command\": \"/opt/gr\u00fc\u00dfe\"}");
        fixture.server("folder", "{\"command\": \"cat\", \"cwd\": \"/opt/gr\u00fc\u00dfe\"}");
        var file = Files.writeString(fixture.folder.resolve("mcp.json"), fixture.json());

        try (var process = DaemonProcess.startInPlainLocale(file, fixture.folder.resolve("log"))) {
            Eventually.holds("the daemon to listen", () -> Files.exists(fixture.adminSocket()));
            var client = fixture.client("one");

            assertThat(client.call("good__echo", ARGUMENTS).isError()).isFalse();
            for (var server : List.of("argument", "variable", "program", "file")) {
                assertThat(client.call(server + "__any", "{}").json())
                        .as(server)
                        .contains("holds characters that do not pass to a program", "LC_ALL=C.UTF-8");
            }
            assertThat(process.logged("a path in the letters of our locale")).isTrue();
        }
    }
}
