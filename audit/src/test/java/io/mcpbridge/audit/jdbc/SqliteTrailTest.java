package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteTrailTest extends JdbcTrailContract {

    @TempDir
    Path directory;

    @Override
    TestTrails place() {
        return TestTrails.inSqlite(directory);
    }

    @Test
    void fileIsPrivate() throws Exception {
        var file = directory.resolve("trail.db");
        var section = Settings.of(Map.of("sink", "jdbc", "url", "jdbc:sqlite:" + file));

        try (var sink = new JdbcAuditSinkProvider().open(section, TestEnvironment.usual())) {
            assertThat(sink.trouble()).isEmpty();
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void lockFileIsPrivate() throws Exception {
        var file = directory.resolve("trail.db");

        place(file).open().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lockOf(file))))
                .isEqualTo("rw-------");
    }

    @Test
    void lockFileThatIsALinkIsRefused() throws Exception {
        var file = directory.resolve("trail.db");
        var elsewhere = directory.resolve("elsewhere");
        Files.createSymbolicLink(lockOf(file), elsewhere);

        assertThatThrownBy(() -> place(file).open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("cannot be used");
        assertThat(elsewhere).doesNotExist();
    }

    private static TestTrails place(Path file) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        return new TestTrails(source, TrailSettings.DEFAULTS);
    }

    private static Path lockOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".mcp_bridge_audit.mcp-bridge.lock");
    }

    @Test
    void fullDiskFailsCallersInTimeAndLosesNothingOnceThereIsRoom() throws Exception {
        var place = place().withPatience(Duration.ofMillis(50));
        var pages = new AtomicInteger(64);
        Connector limited = () -> {
            var connection = place.source().getConnection();
            Sql.run(connection, "PRAGMA max_page_count = " + pages.get());
            return connection;
        };
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of("level", "arguments")), environment);

        try (var sink = JdbcAuditSink.open(limited, place.settings(), records, environment)) {
            for (int i = 0; i < 40; i++) {
                var arguments = "{\"text\":\"" + "x".repeat(8_000) + "\"}";
                sink.enter(Events.enter("call-" + i, arguments), new Events.Word());
            }
            Eventually.holds("the full disk to show", () -> sink.trouble().isPresent());
            var word = new Events.Word();
            sink.enter(Events.enter("late"), word);

            assertThat(word.get(30, TimeUnit.SECONDS)).contains("not durable after 50 ms", "full");
            pages.set(1_000_000);
            Eventually.holds(
                    "the trail to be written again", () -> sink.trouble().isEmpty());
        }

        var report = place.verifier().verify();
        assertThat(report.fault()).isEmpty();
        assertThat(report.records()).isEqualTo(42);
    }
}
