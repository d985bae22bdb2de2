package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileAuditSinkProviderTest {

    @TempDir
    Path folder;

    @Test
    void isFoundByItsName() {
        assertThat(provider().spiVersion()).isEqualTo(AuditSinkProvider.SPI_VERSION);
    }

    @Test
    void opensTheTrailThatTheSectionNames() throws Exception {
        var path = folder.resolve("state").resolve("audit");

        try (var trail = TestTrail.in(folder);
                var sink = provider()
                        .open(Settings.of(Map.of("sink", "file", "path", path.toString())), trail.environment())) {
            TestTrail.call(sink, "1");

            assertThat(sink.durability()).isEqualTo(AuditSink.Durability.PROCESS);
        }

        assertThat(path.resolve("00000000000000000001.jsonl")).isNotEmptyFile();
        assertThat(Files.readString(folder.resolve("state/audit.pub"))).startsWith("mcp-bridge-audit-");
    }

    @Test
    void requiredMeansTheDevice() {
        var section = Map.of("path", folder.resolve("audit").toString(), "mode", "required");

        try (var trail = TestTrail.in(folder);
                var sink = provider().open(Settings.of(section), trail.environment())) {
            assertThat(sink.durability()).isEqualTo(AuditSink.Durability.DEVICE);
        }
    }

    @Test
    void unknownKeyIsRefusedWithTheNearest() {
        var section = Map.of("path", folder.resolve("audit").toString(), "segment-sise", "1MB");

        try (var trail = TestTrail.in(folder)) {
            assertThatThrownBy(() -> provider().open(Settings.of(section), trail.environment()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'segment-sise' is not a key here; did you mean 'segment-size'?");
        }
    }

    private static AuditSinkProvider provider() {
        return ServiceLoader.load(AuditSinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals("file"))
                .findFirst()
                .orElseThrow();
    }
}
