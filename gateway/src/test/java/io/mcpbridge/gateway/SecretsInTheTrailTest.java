package io.mcpbridge.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Row I8, end to end: secrets are in calls and in the configuration of servers, which fail and print them. The test
 * searches the whole trail for them.
 */
@Timeout(60)
class SecretsInTheTrailTest {
    private static final String IN_ENVIRONMENT = "env-3f9a71c2d8";
    private static final String IN_COMMAND = "argv-77b1e0c45a";
    private static final String IN_ADDRESS = "url-c0ffee1234";
    private static final String IN_HEADER = "header-5d41402abc";
    private static final String IN_ARGUMENTS = "hunter2-of-alice";

    private final DaemonFixture fixture;

    SecretsInTheTrailTest() throws IOException {
        fixture = new DaemonFixture();
    }

    @BeforeEach
    void configure() {
        // Prints its input on standard error and ends.
        fixture.server("dies", """
            {"command": "sh", "args": ["-c", "echo cannot log in with $API_TOKEN or $2 >&2; exit 3", "sh", "--token", "%s"],
             "env": {"API_TOKEN": "%s"}}\
            """.formatted(IN_COMMAND, IN_ENVIRONMENT));
        fixture.server("away", """
            {"url": "http://127.0.0.1:1/mcp?api_key=%s", "headers": {"Authorization": "Bearer %s"}}\
            """.formatted(IN_ADDRESS, IN_HEADER));
        fixture.bridge("\"audit\": {\"mode\": \"required\", \"path\": \"%s\", \"level\": \"arguments+result\"}, "
                .formatted(fixture.folder.resolve("trail")));
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void i8NoSecretReachesTheTrail() throws IOException {
        fixture.start();
        var client = fixture.client("alice");

        client.call("dies__any", "{\"password\":\"%s\",\"note\":\"%s\"}".formatted(IN_ARGUMENTS, base64(IN_HEADER)));
        client.call("away__any", "{\"x\":\"%s and %s\"}".formatted(IN_ADDRESS, IN_COMMAND));
        client.call("dies__" + IN_ENVIRONMENT, "{}");
        client.send("{\"jsonrpc\": %s\n".formatted(IN_HEADER));
        Eventually.holds("both calls to be recorded", () -> lines().size() >= 4);
        fixture.running().close();

        var written = String.join("\n", lines());
        assertThat(written)
                .contains("cannot log in with", "hmac-sha256:", "Cannot reach 'http://127.0.0.1:1/mcp'")
                .doesNotContain(IN_ENVIRONMENT, IN_COMMAND, IN_ADDRESS, IN_HEADER, IN_ARGUMENTS, base64(IN_HEADER));
    }

    @Test
    void i8NoSecretInStderrReachesTheLogOrTheClient() throws IOException {
        var log = new RecordingLogger();
        fixture.start(DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(log)));

        var answer = fixture.client("alice").call("dies__any", "{}");

        assertThat(answer.json()).contains("cannot log in with").doesNotContain(IN_ENVIRONMENT, IN_COMMAND);
        assertThat(String.join("\n", log.lines()))
                .contains("cannot log in with *** or ***")
                .doesNotContain(IN_ENVIRONMENT, IN_COMMAND);
    }

    /** Of all files of the trail. */
    private List<String> lines() {
        var lines = new ArrayList<String>();
        try (var files = Files.list(fixture.folder.resolve("trail"))) {
            for (Path file : files.toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        } catch (IOException changing) {
            throw new UncheckedIOException(changing);
        }
        return lines;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
