package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JdbcTrailSettingsTest {

    @Test
    void onlyTheUrlIsRequired() {
        var read = JdbcAuditSettings.from(Settings.of(Map.of("sink", "jdbc", "url", "jdbc:sqlite:audit.db")));

        assertThat(read.trail()).isEqualTo(JdbcTrailSettings.DEFAULTS);
        assertThat(read.user()).isEmpty();
        assertThat(read.password().reveal()).isEmpty();
    }

    @Test
    void everyKeyIsRead() {
        var read = JdbcAuditSettings.from(Settings.of(Map.of(
                "url", "jdbc:postgresql://db/audit",
                "user", "bridge",
                "password", "hunter2",
                "trail", "eu-1",
                "table", "audit.calls",
                "write-timeout", "2s")));

        assertThat(read.user()).isEqualTo("bridge");
        assertThat(read.password().reveal()).isEqualTo("hunter2");
        assertThat(read.trail()).isEqualTo(new JdbcTrailSettings("eu-1", "audit.calls", Duration.ofSeconds(2)));
        assertThat(read.toString()).doesNotContain("hunter2");
    }

    @Test
    void allMistakesAreReportedTogether() {
        var section = Settings.of(Map.of(
                "url",
                "jdbc:sqlite:a.db",
                "trail",
                "no trail",
                "table",
                "Robert'); --",
                "write-timeout",
                "1h",
                "usr",
                "x"));

        assertThatThrownBy(() -> JdbcAuditSettings.from(section))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'trail' is 'no trail' but must be 1 to 64 letters")
                .hasMessageContaining("'table' is ")
                .hasMessageContaining("'write-timeout' is ")
                .hasMessageContaining("'usr' is not a key here; did you mean 'user'?");
    }

    @Test
    void missingUrlIsReported() {
        assertThatThrownBy(() -> JdbcAuditSettings.from(Settings.of(Map.of("sink", "jdbc"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'url' is missing");
    }
}
