package io.mcpbridge.audit.otel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.file.FileAuditSinkProvider;
import io.mcpbridge.audit.otel.MirrorSetting.MirroredAuditSink;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MirroredAuditSinkTest extends AuditSinkContract {
    private final RecordingLogger logger = new RecordingLogger();

    @TempDir
    Path trails;

    @Override
    protected AuditSink open() {
        var section = Settings.of(
                Map.of("sink", "file", "path", trails.resolve("trail").toString()));
        var file = new FileAuditSinkProvider().open(section, TestEnvironment.usual());
        return new MirroredAuditSink(file, new RecordingAuditSink(), logger);
    }

    @Override
    protected String stored() throws Exception {
        try (var files = Files.list(trails.resolve("trail"))) {
            var text = new StringBuilder();
            for (var file : files.toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }

    @Test
    void bothSinksGetAllRecords() {
        var first = new RecordingAuditSink();
        var mirror = new RecordingAuditSink();

        try (var both = new MirroredAuditSink(first, mirror, logger)) {
            both.enter(Events.enter("1"), new Events.Word());
            both.exit(Events.exit("1"), new Events.Word());
        }

        assertThat(first.records()).hasSize(2).isEqualTo(mirror.records());
    }

    @Test
    void brokenMirrorAffectsNoRecordAndIsLoggedOnce() throws Exception {
        var word = new Events.Word();

        try (var both = new MirroredAuditSink(new RecordingAuditSink(), new BrokenSink(), logger)) {
            both.enter(Events.enter("1"), word);
            both.exit(Events.exit("1"), new Events.Word());

            assertThat(word.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
        }

        assertThat(logger.lines()).containsExactly("[mcp-bridge] the mirror of the audit trail failed");
    }

    @Test
    void mirrorIsAllowedInEveryMode(@TempDir Path directory) throws Exception {
        var word = new Events.Word();
        var section = Settings.of(
                Map.of("sink", "file", "mode", "required", "mirror", "otel", "path", directory.resolve("trail") + ""));

        try (var sink = new FileAuditSinkProvider().open(section, TestEnvironment.usual())) {
            assertThat(sink).isInstanceOf(MirroredAuditSink.class);
            assertThat(sink.durability()).isEqualTo(AuditSink.Durability.DEVICE);
            sink.enter(Events.enter("1"), word);
            assertThat(word.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
        }
    }

    @Test
    void mirrorHasTheHashesOfTheTrail() {
        var environment = TestEnvironment.usual();
        var kept = AuditRecords.of(Settings.of(Map.of()), environment);

        var mirrored = kept.mirrored(Settings.of(Map.of()), environment);

        var event = Events.enter("1");
        assertThat(mirrored.enter(event, Instant.EPOCH))
                .hasToString(kept.enter(event, Instant.EPOCH).toString());
    }

    @Test
    void trailAndMirrorShareANewKey(@TempDir Path directory) {
        var key = directory.resolve("redact.key");
        var section = Settings.of(Map.of(
                "sink",
                "file",
                "mirror",
                "otel",
                "path",
                directory.resolve("trail") + "",
                "redact",
                Map.of("key", key + "")));

        new FileAuditSinkProvider().open(section, TestEnvironment.usual()).close();

        assertThat(key).exists();
    }

    @Test
    void unknownMirrorIsRejected(@TempDir Path directory) {
        var section = Settings.of(Map.of("sink", "file", "mirror", "jdbc", "path", directory.resolve("trail") + ""));

        assertThatThrownBy(() -> new FileAuditSinkProvider().open(section, TestEnvironment.usual()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mirror' is 'jdbc' but must be 'otel'");
    }

    /** Takes nothing. */
    private static final class BrokenSink implements AuditSink {

        @Override
        public void enter(ToolEnter event, Completion durable) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void exit(ToolExit event, Completion durable) {
            throw new IllegalStateException("broken");
        }

        @Override
        public Durability durability() {
            return Durability.NONE;
        }

        @Override
        public void close() {}
    }
}
