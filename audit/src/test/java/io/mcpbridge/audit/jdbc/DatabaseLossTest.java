package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.EmbeddedServer;
import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database is killed under load and comes back: what was acknowledged is there, and everything is there once. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DatabaseLossTest {
    private static final int THREADS = 8;
    private static final int AT_ONCE = 64;
    private static final JdbcTrailSettings TRAIL =
            new JdbcTrailSettings("mcp-bridge", "mcp_bridge_audit", Duration.ofSeconds(60));

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> offered = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void killedDatabaseLosesAndRepeatsNoAcknowledgedRecord() throws Exception {
        try (var server = EmbeddedServer.start()) {
            try (var sink = sink(server)) {
                var writers = load(sink);
                for (int i = 0; i < 2; i++) {
                    awaitProgress(300);
                    server.kill();
                    Eventually.holds(
                            "the loss to be noticed", () -> sink.fault().isPresent());
                    server.startAgain();
                }
                awaitProgress(300);
                isOver.set(true);
                for (var writer : writers) {
                    writer.join();
                }
            }

            var report = new JdbcTrailVerifier(server.source(), TRAIL).verify();
            assertThat(report.fault()).isEmpty();
            assertThat(idsIn(server))
                    .doesNotHaveDuplicates()
                    .containsAll(acknowledged)
                    .hasSameElementsAs(offered);
        }
    }

    private static AuditSink sink(EmbeddedServer server) {
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of()), environment);
        return JdbcAuditSinks.of(server.source(), TRAIL, records, environment);
    }

    private List<Thread> load(AuditSink sink) {
        return IntStream.range(0, THREADS)
                .mapToObj(i -> {
                    var writer = new Thread(() -> write(sink, "call-" + i + "-"), "writer-" + i);
                    writer.start();
                    return writer;
                })
                .toList();
    }

    private void write(AuditSink sink, String prefix) {
        var room = new Semaphore(AT_ONCE);
        for (int i = 0; !isOver.get(); i++) {
            room.acquireUninterruptibly();
            var id = prefix + i;
            var word = new Events.Word();
            var unused = word.thenAccept(told -> {
                room.release();
                if (told.equals("durable")) {
                    acknowledged.add(id);
                }
            });
            offered.add(id);
            sink.enter(Events.enter(id), word);
        }
    }

    private void awaitProgress(int more) {
        var before = acknowledged.size();
        Eventually.holds(more + " more records", () -> acknowledged.size() >= before + more);
    }

    private static List<String> idsIn(EmbeddedServer server) throws SQLException {
        var ids = new ArrayList<String>();
        try (var connection = server.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT correlation_id FROM mcp_bridge_audit WHERE type = 'enter' ORDER BY sequence")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }
}
