package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteTrailTest extends JdbcTrailContract {

    private static final int AT_ONCE = 500;

    @TempDir
    Path directory;

    @Override
    TestTrails place() {
        return TestTrails.inSqlite(directory);
    }

    @Test
    void databaseFileIsPrivate() throws Exception {
        var file = directory.resolve("trail.db");
        var section = Settings.of(Map.of("sink", "jdbc", "url", "jdbc:sqlite:" + file));

        try (var sink = new JdbcAuditSinkProvider().open(section, TestEnvironment.usual())) {
            assertThat(sink.fault()).isEmpty();
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
    void lockSurvivesAnotherStartInTheSameProcess() throws Exception {
        var file = directory.resolve("trail.db");
        try (var sink = place(file).open()) {
            assertThatThrownBy(() -> place(file).open(TestEnvironment.hurried()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(
                            "is written by process " + ProcessHandle.current().pid());

            var inode = Files.getAttribute(lockOf(file), "unix:ino");
            assertThat(Files.readString(Path.of("/proc/locks"))).contains(":" + inode + " ");
            assertThat(sink.fault()).isEmpty();
        }
    }

    @Test
    void removedFileIsDetectedBeforeARecordCountsAsDurable() throws Exception {
        var file = directory.resolve("trail.db");
        var place = place(file);
        try (var sink = place.open()) {
            JdbcTrailContract.assertDurable(sink, "before");
            Files.move(file, directory.resolve("elsewhere.db"));

            JdbcTrailContract.assertDurable(sink, "behind");
        }

        assertThat(JdbcTrailContract.texts(place, "SELECT outcome FROM mcp_bridge_audit WHERE type = 'note'"))
                .contains("trail-moved");
        assertThat(JdbcTrailContract.texts(place, "SELECT correlation_id FROM mcp_bridge_audit WHERE type = 'enter'"))
                .containsExactly("behind");
    }

    @Test
    void closeDoesNotNeedTheDatabase() throws Exception {
        var place = place(directory.resolve("trail.db"));
        var isAway = new AtomicBoolean();
        var lent = new CopyOnWriteArrayList<Connection>();
        ConnectionSource connector = () -> {
            if (isAway.get()) {
                throw new SQLException("the database is away");
            }
            var next = place.source().getConnection();
            lent.add(next);
            return next;
        };
        var environment = TestEnvironment.hurried();
        var records = AuditRecords.of(Settings.of(Map.of()), environment);
        var word = new Events.Word();
        var sink = JdbcAuditSinks.of(connector, place.settings(), records, environment);
        isAway.set(true);
        lent.get(0).close();
        sink.enter(Events.enter("a"), word);
        sink.note(new AuditNote("b", Map.of()));

        sink.close();

        assertThat(word.get(0, TimeUnit.SECONDS)).contains("not kept");
        assertThat(sink.readings())
                .filteredOn(each -> each.name().equals("audit.lost"))
                .extracting(GaugeReading::value)
                .containsExactly(2.0);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("mcp-bridge-audit-jdbc");
    }

    @Test
    void startSearchesOnlyRecordsAfterTheLastEndedCall() throws Exception {
        var place = place(directory.resolve("trail.db"));
        try (var sink = place.open()) {
            assertThat(enterAll(sink, "ended-", JdbcTrailStore.OldestOpenCall.SPAN / 2))
                    .isEqualTo(JdbcTrailStore.OldestOpenCall.SPAN / 2);
            JdbcTrailContract.assertDurable(sink, "left-open");
            assertThat(enterAll(sink, "ended-too-", JdbcTrailStore.OldestOpenCall.SPAN / 2))
                    .isEqualTo(JdbcTrailStore.OldestOpenCall.SPAN / 2);
        }

        try (var next = place.open()) {
            assertThat(next.fault()).isEmpty();
        }

        assertThat(JdbcTrailContract.texts(place, "SELECT line FROM mcp_bridge_audit WHERE outcome = 'calls-ended'"))
                .last()
                .asString()
                .contains("\"before\":\"" + (JdbcTrailStore.OldestOpenCall.SPAN + 3) + "\"");
        assertThat(JdbcTrailContract.texts(
                        place, "SELECT correlation_id FROM mcp_bridge_audit WHERE line LIKE '%\"inDoubt\":true%'"))
                .containsExactly("left-open");
    }

    /** Makes so many calls that begin and end, with as many at once as have room. */
    private static int enterAll(AuditSink sink, String ids, int calls) throws Exception {
        var durable = 0;
        for (int i = 0; i < calls; i += AT_ONCE) {
            var words = new ArrayList<Events.Word>();
            for (int k = i; k < Math.min(calls, i + AT_ONCE); k++) {
                words.add(new Events.Word());
                sink.enter(Events.enter(ids + k), new Events.Word());
                sink.exit(Events.exit(ids + k), words.get(words.size() - 1));
            }
            for (var word : words) {
                durable += word.get(60, TimeUnit.SECONDS).equals("durable") ? 1 : 0;
            }
        }
        return durable;
    }

    @Test
    void lockFileThatIsALinkIsRejected() throws Exception {
        var file = directory.resolve("trail.db");
        var elsewhere = directory.resolve("elsewhere");
        Files.createSymbolicLink(lockOf(file), elsewhere);

        assertThatThrownBy(() -> place(file).open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("it is a symbolic link");
        assertThat(elsewhere).doesNotExist();
    }

    private static TestTrails place(Path file) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        return new TestTrails(source, JdbcTrailSettings.DEFAULTS);
    }

    private static Path lockOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".mcp_bridge_audit.mcp-bridge.lock");
    }

    @Test
    void fullDiskFailsCallsInTimeAndLosesNoRecord() throws Exception {
        var place = place().withWriteTimeout(Duration.ofMillis(50));
        var pages = new AtomicInteger(64);
        ConnectionSource limited = () -> {
            var connection = place.source().getConnection();
            SqlDialect.run(connection, "PRAGMA max_page_count = " + pages.get());
            return connection;
        };
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of("level", "arguments")), environment);

        try (var sink = JdbcAuditSinks.of(limited, place.settings(), records, environment)) {
            for (int i = 0; i < 40; i++) {
                var arguments = "{\"text\":\"" + "x".repeat(8_000) + "\"}";
                sink.enter(Events.enter("call-" + i, arguments), new Events.Word());
            }
            Eventually.holds("the full disk to show", () -> sink.fault().isPresent());
            var word = new Events.Word();
            sink.enter(Events.enter("late"), word);

            assertThat(word.get(30, TimeUnit.SECONDS)).contains("not durable after 50 ms", "full");
            pages.set(1_000_000);
            Eventually.holds("the trail to be written again", () -> sink.fault().isEmpty());
        }

        var report = place.verifier().verify();
        assertThat(report.fault()).isEmpty();
        assertThat(report.records()).isEqualTo(42);
    }
}
