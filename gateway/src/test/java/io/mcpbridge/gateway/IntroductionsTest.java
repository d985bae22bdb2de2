package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What servers say about themselves reaches clients of both eras, as soon as the servers were connected once. */
@Timeout(60)
class IntroductionsTest {
    private static final String INITIALIZE =
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}";

    private final DaemonFixture fixture;

    IntroductionsTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void instructionsOfASingleServerAreForwarded() throws Exception {
        fixture.unix("disk", new ToolScript("Disk", "echo").instructing("\"Read before \\\"writing\\\".\""));
        fixture.start();
        assertThat(initialized()).doesNotContain("instructions", "io.mcpbridge/serverInfo");

        fixture.client("first").toolNames();

        assertThat(initialized())
                .contains("\"serverInfo\":{\"name\":\"mcp-bridge-server\"")
                .contains("\"instructions\":\"Read before \\\"writing\\\".\"")
                .contains("\"_meta\":{\"io.mcpbridge/serverInfo\":{\"disk\":{\"name\":\"Disk\",\"version\":\"1\","
                        + "\"title\":\"A server\"}}}");
    }

    @Test
    void instructionsOfSeveralServersAreCombined() throws Exception {
        fixture.unix("disk", new ToolScript("Disk", "echo").instructing("\"Read first.\""));
        fixture.unix("mute", new ToolScript("Mute", "echo"));
        fixture.unix("mail", new ToolScript("Mail", "echo").instructing("\"Ask before sending.\""));
        fixture.start();
        fixture.client("first").toolNames();

        var text = "# disk\n\nRead first.\n\n# mail\n\nAsk before sending.";
        var together = "\"instructions\":" + JsonStrings.quote(text);
        assertThat(initialized()).contains(together, "\"mute\":{\"name\":\"Mute\"");
        assertThat(discovered())
                .contains(together, "\"mute\":{\"name\":\"Mute\"")
                .contains("\"io.modelcontextprotocol/serverInfo\":{\"name\":\"mcp-bridge-server\"");
    }

    @Test
    void invalidOrOverlongInstructionsAreOmitted() throws Exception {
        fixture.unix("odd", new ToolScript("Odd", "echo").instructing("7"));
        fixture.unix("long", new ToolScript("Long", "echo").instructing("\"" + "x".repeat(70_000) + "\""));
        fixture.start();
        fixture.client("first").toolNames();

        assertThat(initialized()).contains("\"long\":{\"name\":\"Long\"").doesNotContain("instructions");
    }

    @Test
    void userSeesOnlyServersWithAnAllowedTool() throws Exception {
        var me = System.getProperty("user.name");
        fixture.bridge("\"clients\": {\"%s\": {\"tools\": {\"allow\": [\"disk__*\"]}}}, ".formatted(me));
        fixture.unix("disk", new ToolScript("Disk", "echo").instructing("\"Read first.\""));
        fixture.unix("mail", new ToolScript("Mail", "echo").instructing("\"Ask before sending.\""));
        fixture.start();
        fixture.client("first").toolNames();

        assertThat(initialized()).contains("# disk").doesNotContain("mail", "Mail");
    }

    private String initialized() throws IOException {
        var client = LineClient.connect(fixture.unixAddress()).listen();
        try (client) {
            client.send(Request.of(MessageId.of(0), Methods.INITIALIZE, INITIALIZE));
            return client.answer(MessageId.of(0)).json();
        }
    }

    private String discovered() throws IOException {
        try (var http = RawHttp.modern(fixture.httpAddress(), Methods.SERVER_DISCOVER, "", "")) {
            return http.all();
        }
    }
}
