package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rejected start leaves no audit trail behind, and starts no server. */
@Timeout(60)
class RefusedStartTest {
    private static final String AUDIT = "\"audit\": {\"mode\": \"required\", \"path\": \"@/state/trail\"}";

    private final DaemonFixture fixture;
    private final Path open;

    RefusedStartTest() throws IOException {
        fixture = new DaemonFixture();
        open = Files.createDirectory(fixture.folder.resolve("open"));
    }

    @BeforeEach
    void makeUnsafePlaces() throws IOException {
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        var readable = Files.writeString(fixture.folder.resolve("readable.key"), "00".repeat(32));
        Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /** {@code @} is the folder of the test. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "an unknown key | " + AUDIT + ", \"drain\": 1 | is not a key here",
                "an unknown key of the audit | \"audit\": {\"path\": \"@/state/trail\", \"kep\": 1} | is not a key"
                        + " here",
                "a missing lock file | " + AUDIT + ", \"catalog\": {\"lock\": \"none.lock\"} | there is no lock file",
                "an unsafe folder of the socket | " + AUDIT
                        + ", \"listen\": {\"unix\": {\"path\": \"@/open/b.sock\"}} |" + " the folder of the socket",
                "an unsafe folder of the trail | \"audit\": {\"path\": \"@/open/state/trail\"} | every user may write"
                        + " to",
                "a redaction key that others may read | \"audit\": {\"path\": \"@/state/trail\","
                        + " \"redact\": {\"key\": \"@/readable.key\"}} | the redaction key",
                "a redaction key that others may exchange | \"audit\": {\"path\": \"@/state/trail\","
                        + " \"redact\": {\"key\": \"@/open/r.key\"}} | every user may write to",
                "a signing key that others may read | \"audit\": {\"path\": \"@/state/trail\","
                        + " \"key\": \"@/readable.key\"} | the signing key",
                "a signing key that others may exchange | \"audit\": {\"path\": \"@/state/trail\","
                        + " \"key\": \"@/open/s.key\"} | every user may write to"
            })
    void rejectedStartCreatesNoTrail(String what, String bridge, String why) throws IOException {
        var json = "{\"mcpServers\": {}, \"bridge\": {%s}}".formatted(bridge).replace("@", fixture.folder.toString());

        assertThatThrownBy(() -> fixture.start(json))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(why);

        assertNothingIsCreated();
    }

    @Test
    void startFailsWhenTheRequiredLevelIsUnavailable() throws Exception {
        var json = "{\"mcpServers\": {}, \"bridge\": {%s, \"sandbox\": {\"level\": \"L1\"}}}"
                .formatted(AUDIT)
                .replace("@", fixture.folder.toString());
        var options = DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(System.getLogger("test")));

        assertThatThrownBy(() -> Daemon.start(BridgeConfiguration.parse(json, fixture.folder, Map.of()), options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("sandbox");

        assertNothingIsCreated();
    }

    @Test
    void takenPortStartsNoServer() throws Exception {
        var mark = fixture.folder.resolve("mark");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var json = """
                    {"mcpServers": {"s": {"command": "touch", "args": ["%s"], "start": "eager"}},
                     "bridge": {"listen": {"http": {"port": %d}}}}""".formatted(mark, taken.getLocalPort());

            assertThatThrownBy(() -> fixture.start(json))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("Stop the program that uses the port");
        }

        assertThat(mark).doesNotExist();
    }

    private void assertNothingIsCreated() throws IOException {
        assertThat(fixture.folder.resolve("state")).doesNotExist();
        assertThat(open).isEmptyDirectory();
    }
}
