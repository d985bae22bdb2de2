package io.mcpbridge.audit.jdbc;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink.Durability;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;

/** What one kind of database does in its own way. Stateless. */
sealed interface Dialect permits PostgresDialect, SqliteDialect {

    /** The dialect of whatever is connected. */
    static Dialect of(Connection connection) throws SQLException {
        var product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> new PostgresDialect();
            case "sqlite" -> new SqliteDialect();
            default ->
                throw ConfigurationException.of(
                        "'url' leads to the database '%s' but must lead to PostgreSQL or SQLite".formatted(product));
        };
    }

    /** A trail that has one writer. */
    interface Claim extends AutoCloseable {
        /**
         * Looks whether what is written on the connection still comes to where others find it.
         *
         * @throws SQLException if it does not
         */
        default void require() throws SQLException {}

        @Override
        void close();
    }

    /** Sets up a new connection: a commit returns when what it holds survives the loss of power. */
    void prepare(Connection connection) throws SQLException;

    /** What a commit means on this connection. */
    Durability durability(Connection connection) throws SQLException;

    /**
     * Makes this connection the only writer of the trail, until it is closed.
     *
     * @return what gives the trail free; closed after the connection
     * @throws TrailTakenException if somebody else writes it
     */
    Claim lock(Connection connection, TrailSettings trail) throws SQLException, TrailTakenException;

    /** Makes the session of a connection as it came, since a pool may keep it; no transaction is open. */
    void leave(Connection connection, TrailSettings trail) throws SQLException;

    /** The type of a column that holds a time. */
    String timeType();

    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException;

    Instant time(ResultSet rows, String column) throws SQLException;

    /** Begins to make a table in a transaction of its own, as nobody else does until that ends. */
    void beginMaking(Connection connection, String table) throws SQLException;

    /** A query whose answer is empty where there is no such table. */
    String existence(String table);

    /** The statement that makes an index on columns of the table, unless it is there. */
    String index(String table, String name, String columns);
}
