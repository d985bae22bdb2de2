package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** What a trail in a database promises beyond any sink, whatever the database. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class JdbcTrailContract {

    abstract TestTrails place();

    @Test
    void chainVerifiesAcrossRuns() throws Exception {
        var place = place();
        record(place, "a", "b");
        record(place, "c");

        var report = place.verifier().verify();

        assertThat(report.fault()).isEmpty();
        assertThat(report.records()).isEqualTo(2 + 6);
    }

    @Test
    void columnsHaveCallerAndTool() throws Exception {
        var place = place();
        record(place, "a");

        assertThat(texts(
                        place,
                        "SELECT record_id || ' ' || principal || ' ' || client_id || ' ' || server || '.' || tool"
                                + " FROM " + table(place) + " WHERE type = 'enter'"))
                .containsExactly("a-enter alice desktop local.echo");
        assertThat(texts(place, "SELECT outcome || ' ' || duration_ms FROM " + table(place) + " WHERE type = 'exit'"))
                .containsExactly("ok 3");
    }

    @Test
    void lineHasTheTraceOfTheCall() throws Exception {
        var place = place();
        try (var sink = place.open()) {
            var kept = new Events.Word();
            sink.enter(Events.enter("a", TraceParent.of("4bf9".repeat(8), "00f0".repeat(4), "01")), kept);
            assertThat(kept.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
        }

        assertThat(texts(place, "SELECT line FROM " + table(place) + " WHERE type = 'enter'"))
                .singleElement()
                .asString()
                .contains("\"traceparent\":\"00-%s-%s-01\"".formatted("4bf9".repeat(8), "00f0".repeat(4)));
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void rejectedStartCreatesNoKey(@TempDir Path folder) throws Exception {
        var place = place();
        var key = folder.resolve("redact.key");
        callWith(place, key);
        Files.delete(key);
        run(place, "ALTER TABLE %s RENAME COLUMN duration_ms TO gone");

        assertThatThrownBy(() -> openWith(place, key)).isInstanceOf(ConfigurationException.class);
        assertThat(key).doesNotExist();
        run(place, "ALTER TABLE %s RENAME COLUMN gone TO duration_ms");
        openWith(place, key).close();

        assertThat(key).exists();
        assertThat(notes(place)).containsExactly("opened", "opened");
    }

    private static void callWith(TestTrails place, Path key) throws Exception {
        try (var sink = openWith(place, key)) {
            assertDurable(sink, "a");
        }
    }

    private static AuditSink openWith(TestTrails place, Path key) {
        var environment = TestEnvironment.usual();
        var section = Settings.of(Map.of("redact", Map.of("key", key.toString())));
        return JdbcAuditSinks.of(place.source(), place.settings(), AuditRecords.of(section, environment), environment);
    }

    private static List<String> notes(TestTrails place) throws SQLException {
        return texts(place, "SELECT outcome FROM " + table(place) + " WHERE type = 'note' ORDER BY sequence");
    }

    @Test
    void callsLeftOpenByTheLastRunAreInDoubt() throws Exception {
        var place = place();
        try (var sink = place.open()) {
            assertDurable(sink, "left-open");
        }
        record(place, "later");

        assertThat(texts(place, "SELECT line FROM " + table(place) + " WHERE record_id = 'left-open-exit'"))
                .singleElement()
                .asString()
                .contains("\"inDoubt\":true")
                .contains("\"delivery\":\"UNKNOWN\"");
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void changedLineIsDetected() throws Exception {
        var place = place();
        record(place, "a", "b");
        run(place, "UPDATE %s SET line = replace(line, 'alice', 'mallo') WHERE record_id = 'a-enter'");

        assertThat(place.verifier().verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault).startsWith("record 2: its hash is "));
    }

    @Test
    void renumberedIdIsDetected() throws Exception {
        var place = place();
        record(place, "a", "b");

        run(place, "UPDATE %s SET record_id = 'a-exit#3' WHERE record_id = 'a-exit'");

        assertThat(place.verifier().verify().fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("record 3", "'record_id' is 'a-exit#3'"));
    }

    @Test
    void changedColumnIsDetected() throws Exception {
        var place = place();
        record(place, "a");
        run(place, "UPDATE %s SET principal = 'mallory' WHERE record_id = 'a-enter'");

        assertThat(place.verifier().verify().fault())
                .contains("record 2: its column 'principal' is 'mallory', but the record says 'alice'");
    }

    @Test
    void missingRecordIsDetected() throws Exception {
        var place = place();
        record(place, "a");
        run(place, "DELETE FROM %s WHERE record_id = 'a-enter'");

        assertThat(place.verifier().verify().fault()).contains("record 3: its sequence is 3 but must be 2");
    }

    @Test
    void keptHeadRevealsATruncatedTail() throws Exception {
        var place = place();
        record(place, "a");
        ChainHead kept = place.verifier().verify().head();
        run(place, "DELETE FROM %s WHERE record_id = 'a-exit'");

        assertThat(place.verifier().verify().holds()).isTrue();
        assertThat(place.verifier().verify(kept).fault()).contains("record 3: it is missing, and so are all after 2");
    }

    @Test
    void trailHasOneWriter() throws Exception {
        var place = place();

        try (var first = place.open()) {
            assertThatThrownBy(() -> place.open(TestEnvironment.hurried()))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("the audit trail 'mcp-bridge' is written by ")
                    .hasMessageEndingWith("choose another 'trail'");
            assertThat(first.fault()).isEmpty();
        }
    }

    @RepeatedTest(20)
    void concurrentFirstStartsCreateOneTable() throws Exception {
        var place = place();
        var starts = Executors.newFixedThreadPool(4);

        try {
            var opened = IntStream.range(0, 4)
                    .mapToObj(
                            i -> new TestTrails(place.source(), place.settings().withTrail("trail-" + i)))
                    .map(each -> starts.submit(() -> each.open()))
                    .toList();
            for (var each : opened) {
                each.get(30, TimeUnit.SECONDS).close();
            }
        } finally {
            starts.shutdownNow();
        }

        assertThat(texts(place, "SELECT DISTINCT trail FROM " + table(place))).hasSize(4);
    }

    @Test
    void twoTrailsShareOneTable() throws Exception {
        var place = place();
        var other = new TestTrails(place.source(), place.settings().withTrail("other"));
        record(place, "a");
        record(other, "a");

        assertThat(place.verifier().verify().records()).isEqualTo(3);
        assertThat(other.verifier().verify().records()).isEqualTo(3);
    }

    @Test
    void recordsWithTheSameIdAreAllKept() throws Exception {
        var place = place();
        record(place, "a", "a");

        assertThat(texts(place, "SELECT record_id FROM " + table(place) + " WHERE type = 'exit' ORDER BY sequence"))
                .containsExactly("a-exit", "a-exit#5");
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void trailWithDuplicateIdsCanBeReopened() throws Exception {
        var place = place();
        record(place, "a", "a");
        record(place, "b");

        assertThat(inDoubt(place)).isEmpty();
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void openCallWithADuplicateIdIsInDoubt() throws Exception {
        var place = place();
        try (var sink = place.open()) {
            assertDurable(sink, "a");
            assertDurable(sink, "a");
        }
        record(place, "b");
        record(place, "c");

        assertThat(inDoubt(place)).containsExactly("a-exit", "a-exit#5");
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void anyNumberOfOpenCallsIsInDoubt() throws Exception {
        var place = place();
        try (var sink = place.open()) {
            for (int i = 0; i < 600; i++) {
                sink.enter(Events.enter("left-open-" + i), new Events.Word());
            }
        }
        record(place, "later");

        assertThat(inDoubt(place)).hasSize(600).doesNotHaveDuplicates();
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void commitWithoutAResponseIsStoredOnceDespiteLaterWriters() throws Exception {
        var place = place();
        var connector = new UnheardCommit(place.source(), () -> place.open().close());
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of()), environment);

        try (var sink = JdbcAuditSinks.of(connector, place.settings(), records, environment)) {
            connector.arm();
            assertDurable(sink, "a");
        }

        assertThat(texts(place, "SELECT record_id FROM " + table(place) + " WHERE type = 'enter'"))
                .containsExactly("a-enter");
        assertThat(texts(place, "SELECT outcome FROM " + table(place) + " WHERE type = 'note' ORDER BY sequence"))
                .containsExactly("opened", "opened", "trail-moved");
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void writerSurvivesAPoolThatThrowsOtherExceptions() throws Exception {
        var place = place();
        var connector = new UnheardCommit(place.source(), () -> {
            throw new IllegalStateException("the pool is in pieces");
        });
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of()), environment);

        try (var sink = JdbcAuditSinks.of(connector, place.settings(), records, environment)) {
            connector.arm();
            assertDurable(sink, "a");
            assertDurable(sink, "b");
            assertThat(sink.fault()).isEmpty();
        }

        assertThat(place.verifier().verify().records()).isEqualTo(3);
    }

    @Test
    void eventThatCannotBecomeARecordIsLostAndAffectsNoOther() throws Exception {
        var place = place();
        var armed = new AtomicBoolean();
        var random = new SplittableRandom(7);
        RandomGenerator faulty = () -> {
            if (armed.getAndSet(false)) {
                throw new IllegalStateException("there is no chance");
            }
            return random.nextLong();
        };
        var records = AuditRecords.of(Settings.of(Map.of()), TestEnvironment.with(faulty));

        try (var sink = JdbcAuditSinks.of(place.source(), place.settings(), records, TestEnvironment.usual())) {
            armed.set(true);
            sink.note(new AuditNote("odd", Map.of()));
            assertDurable(sink, "a");
        }

        assertThat(texts(place, "SELECT outcome FROM " + table(place) + " WHERE type = 'note' ORDER BY sequence"))
                .containsExactly("opened", "gap");
        assertThat(place.verifier().verify().fault()).isEmpty();
    }

    @Test
    void noColumnContainsSecrets() throws Exception {
        var place = place();
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of("level", "arguments+result")), environment);
        try (var sink = JdbcAuditSinks.of(place.source(), place.settings(), records, environment)) {
            var arguments = "{\"city\":\"Bern\",\"password\":\"hunter2-planted\"}";
            sink.enter(Events.enter("a", arguments), new Events.Word());
            var answer = Response.error(MessageId.of(1), -32000, "no: password=hunter2-planted");
            sink.exit(Events.exit("a", answer), new Events.Word());
        }

        var all = texts(place, "SELECT * FROM " + table(place));
        assertThat(String.join("\n", all)).contains("Bern").doesNotContain("hunter2");
    }

    private static List<String> inDoubt(TestTrails place) throws SQLException {
        return texts(
                place,
                "SELECT record_id FROM " + table(place) + " WHERE line LIKE '%\"inDoubt\":true%' ORDER BY sequence");
    }

    static void record(TestTrails place, String... ids) throws Exception {
        try (var sink = place.open()) {
            for (var id : ids) {
                assertDurable(sink, id);
                var left = new Events.Word();
                sink.exit(Events.exit(id), left);
                assertThat(left.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
            }
        }
    }

    static void assertDurable(AuditSink sink, String id) throws Exception {
        var entered = new Events.Word();
        sink.enter(Events.enter(id), entered);
        assertThat(entered.get(30, TimeUnit.SECONDS)).isEqualTo("durable");
    }

    private static String table(TestTrails place) {
        return place.settings().table();
    }

    private static void run(TestTrails place, String statement) throws SQLException {
        try (var connection = place.source().getConnection()) {
            SqlDialect.run(connection, statement.formatted(table(place)));
        }
    }

    /** Every column of every row, as text. */
    static List<String> texts(TestTrails place, String query) throws SQLException {
        var texts = new ArrayList<String>();
        try (var connection = place.source().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    texts.add(String.valueOf(rows.getString(i)));
                }
            }
        }
        return texts;
    }
}
