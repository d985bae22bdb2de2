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
    void providerIsFoundByItsName() {
        assertThat(provider().id().spiVersion()).isEqualTo(AuditSinkProvider.SPI_VERSION);
    }

    @Test
    void trailOfTheSectionIsOpened() throws Exception {
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
    void modeRequiredSyncsToTheDevice() {
        var section = Map.of("path", folder.resolve("audit").toString(), "mode", "required");

        try (var trail = TestTrail.in(folder);
                var sink = provider().open(Settings.of(section), trail.environment())) {
            assertThat(sink.durability()).isEqualTo(AuditSink.Durability.DEVICE);
        }
    }

    @Test
    void unknownKeyIsRejectedWithTheNearestKey() {
        var section = Map.of("path", folder.resolve("audit").toString(), "segment-sise", "1MB");

        try (var trail = TestTrail.in(folder)) {
            assertThatThrownBy(() -> provider().open(Settings.of(section), trail.environment()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'segment-sise' is not a key here; did you mean 'segment-size'?");
        }
    }

    @Test
    void checkReportsEveryMistakeAndCreatesNoFile() {
        var path = folder.resolve("audit");
        var section = Settings.parse("""
            {"sink": "file", "path": "%s", "segment-sise": "64MB", "keep": {"for": "banana"}, "level": "nonsense",
            "mode": "strict", "mirror": "ootel"}\
            """.formatted(path));

        assertThatThrownBy(() -> provider().check(section))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'segment-sise' is not a key here")
                .hasMessageContaining("'keep.for' is 'banana'")
                .hasMessageContaining("'level' is 'nonsense'")
                .hasMessageContaining("'mode' is 'strict'")
                .hasMessageContaining("'mirror' is 'ootel'");
        assertThat(path).doesNotExist();
    }

    @Test
    void checkAcceptsValidSettings() {
        var path = folder.resolve("audit");

        provider().check(Settings.of(Map.of("path", path.toString(), "mode", "required", "level", "arguments")));

        assertThat(path).doesNotExist();
    }

    @Test
    void redactionKeyInTheFolderOfTheTrailIsRejected() {
        var path = folder.resolve("audit");
        var section = Map.of("path", path.toString(), "redact", Map.of("key", path + "/../audit/hide.key"));

        try (var trail = TestTrail.in(folder)) {
            assertThatThrownBy(() -> provider().check(Settings.of(section)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'redact.key' is")
                    .hasMessageContaining("must be outside of the folder of the trail");
            assertThatThrownBy(() -> provider().open(Settings.of(section), trail.environment()))
                    .isInstanceOf(ConfigurationException.class);
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void emptyRedactionKeyIsRejected() {
        var section = Settings.of(Map.of("redact", Map.of("key", "")));

        assertThatThrownBy(() -> provider().check(section))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("key")
                .hasMessageContaining("must be a path; leave it out for the usual one");
    }

    private static AuditSinkProvider provider() {
        return ServiceLoader.load(AuditSinkProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals("file"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void oneFileForBothKeysIsRejected() {
        var section = Settings.of(Map.of("key", "/etc/one.key", "redact", Map.of("key", "/etc/./one.key")));

        assertThatThrownBy(() -> new FileAuditSinkProvider().check(section))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'key' and 'redact.key' both name '/etc/./one.key', but must be two files");
    }
}
