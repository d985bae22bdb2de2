package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileAuditSettingsTest {
    private static final Map<String, String> VARIABLES = Map.of("HOME", "/home/me");

    @Test
    void defaultsAreInTheHomeFolder() {
        var settings = read("{}");

        assertThat(settings.path()).isEqualTo(Path.of("/home/me/.local/state/mcp-bridge/audit"));
        assertThat(settings.key()).isEqualTo(Path.of("/home/me/.local/state/mcp-bridge/audit.key"));
        assertThat(settings.publicKey()).isEqualTo(Path.of("/home/me/.local/state/mcp-bridge/audit.pub"));
        assertThat(settings).isEqualTo(FileAuditSettings.in(settings.path()));
    }

    @Test
    void stateFolderOfTheDesktopIsUsed() {
        assertThat(FileAuditSettings.path(
                        Settings.of(Map.of()), Map.of("XDG_STATE_HOME", "/state", "HOME", "/home/me")))
                .isEqualTo(Path.of("/state/mcp-bridge/audit"));
    }

    @Test
    void everyKeyIsRead() {
        var settings = read("""
            {"sink": "file", "mode": "required", "path": "/var/trail", "segment-size": "1MiB",
             "keep": {"for": "90d", "size": "10GB"}, "key": "/etc/sign.key", "sync-every": "50ms"}\
            """);

        assertThat(settings)
                .isEqualTo(new FileAuditSettings(
                        Path.of("/var/trail"),
                        FileAuditSettings.Durability.EACH_GROUP,
                        1 << 20,
                        Duration.ofDays(90),
                        10_000_000_000L,
                        Path.of("/etc/sign.key"),
                        Duration.ofMillis(50)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"path", "key"})
    void emptyPathIsRejected(String key) {
        assertThatThrownBy(() -> read("{\"%s\": \"\"}".formatted(key)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("must be a path; leave it out for the usual one");
    }

    @Test
    void keyInTheFolderOfTheTrailIsRejected() {
        assertThatThrownBy(() -> read("{\"path\": \"/var/trail\", \"key\": \"/var/trail/../trail/sign.key\"}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must be outside of the folder of the trail, '/var/trail'");
    }

    @Test
    void tildeExpandsToTheHomeFolder() {
        var settings = read("{\"path\": \"~/trail\", \"key\": \"~/keys/sign.key\"}");

        assertThat(settings.path()).isEqualTo(Path.of("/home/me/trail"));
        assertThat(settings.key()).isEqualTo(Path.of("/home/me/keys/sign.key"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{'mode': 'strict'} | 'mode' is 'strict' but must be one of [off",
                "{'segment-size': '64'} | 'segment-size' is '64' but must be a size such as 512B, 64KiB, 64MB",
                "{'segment-size': '1KB'} | 'segment-size' is 1000B but must be at least 4KiB",
                "{'keep': {'for': '90'}} | 'keep.for' is '90' but must be a time span such as 90d or 12h",
                "{'keep': {'size': 'all'}} | 'keep.size' is 'all' but must be a size such as 512B, 64KiB, 64MB",
                "{'keep': {'until': '90d'}} | 'keep.until' is not a key here",
                "{'sync-every': '2m'} | 'sync-every' is 120000ms but must be between 1ms and 1m",
                "{'path': '~bob/trail'} | only '~/' is read as a home folder",
                "{'pth': '/var'} | 'pth' is not a key here; did you mean 'path'?"
            })
    void wrongValueIsRejectedWithKeyAndRule(String json, String message) {
        assertThatThrownBy(() -> read(json.replace('\'', '"')))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    private static FileAuditSettings read(String json) {
        return FileAuditSettings.from(Settings.parse(json), VARIABLES);
    }
}
