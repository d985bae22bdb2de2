package io.mcpbridge.audit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.SharedPostgres;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.Settings;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.PooledConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGConnectionPoolDataSource;

@ExtendWith(SharedPostgres.class)
class PostgresTrailTest extends JdbcTrailContract {

    @Override
    TestTrails place() {
        return TestTrails.inPostgres();
    }

    @Test
    void commitIsDurableOnTheDevice() {
        try (var sink = place().open()) {
            assertThat(sink.durability()).isEqualTo(Durability.DEVICE);
        }
    }

    @Test
    void pooledConnectionIsReturnedUnchanged() throws Exception {
        var place = place();
        var environment = TestEnvironment.usual();
        var records = AuditRecords.of(Settings.of(Map.of()), environment);
        var source = new PGConnectionPoolDataSource();
        source.setUrl(SharedPostgres.server().url());
        source.setUser(SharedPostgres.server().user());
        source.setPassword(SharedPostgres.server().password());
        var pooled = source.getPooledConnection();
        var before = session(pooled);

        JdbcAuditSinks.of(pooled::getConnection, place.settings(), records, environment)
                .close();

        assertThat(session(pooled)).isEqualTo(before);
        place.open().close();
        pooled.close();
        assertThat(place.verifier().verify().records()).isEqualTo(2);
    }

    private static String session(PooledConnection pooled) throws SQLException {
        try (var connection = pooled.getConnection()) {
            return "synchronous_commit %s, network timeout %d, read-only %b"
                    .formatted(
                            SqlDialect.text(connection, "SHOW synchronous_commit"),
                            connection.getNetworkTimeout(),
                            connection.isReadOnly());
        }
    }

    @Test
    void silentServerTimesOutDuringTheLogin() {
        var settings = JdbcAuditSettings.from(Settings.of(Map.of("url", "jdbc:postgresql://localhost/audit")));

        assertThat(ConnectionSource.properties(settings))
                .containsEntry("loginTimeout", "10")
                .containsEntry("socketTimeout", "10")
                .containsEntry("connectTimeout", "5");
    }

    @Test
    void userNeedsOnlySelectAndInsert() throws Exception {
        var place = place();
        place.open().close();
        var role = "writer_of_" + place.settings().table();
        try (var connection = SharedPostgres.server().connect()) {
            SqlDialect.run(connection, "CREATE ROLE %s LOGIN PASSWORD 'let-me-in'".formatted(role));
            SqlDialect.run(
                    connection,
                    "GRANT SELECT, INSERT ON %s TO %s"
                            .formatted(place.settings().table(), role));
        }
        var server = SharedPostgres.server();
        var section = Map.of(
                "sink",
                "jdbc",
                "url",
                server.url(),
                "user",
                role,
                "password",
                "let-me-in",
                "table",
                place.settings().table(),
                "write-timeout",
                "30s");

        try (var sink = new JdbcAuditSinkProvider().open(Settings.of(section), TestEnvironment.usual())) {
            assertThat(sink.fault()).isEmpty();
        }

        assertThat(place.verifier().verify().records()).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        user     | nobody_there              | correct 'user' and 'password'
        url      | jdbc:postgresql://127.0.0.1:1/audit?password=hunter2 | check that the database runs
        url      | jdbc:oracle:thin:alice/hunter2@//db/audit | there is no driver for it
        table    | pg_catalog.pg_class       | 'pg_catalog.pg_class' is no table of audit trails
        table    | no-table                  | 'table' is 'no-table' but must be
        url      | postgresql://alice:hunter2@db | 'url' is 'postgresql://***@db' but must be
        """)
    void wrongSettingIsNamedWithoutSecrets(String key, String value, String words) {
        var section = new LinkedHashMap<String, Object>(
                Map.of("sink", "jdbc", "url", SharedPostgres.server().url()));
        section.putAll(Map.of(
                "user",
                SharedPostgres.server().user(),
                "password",
                SharedPostgres.server().password()));
        section.put(key, value);

        assertThatThrownBy(() -> new JdbcAuditSinkProvider().open(Settings.of(section), TestEnvironment.usual()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(words)
                .message()
                .doesNotContain("hunter2");
    }
}
