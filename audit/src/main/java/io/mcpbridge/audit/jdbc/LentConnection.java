package io.mcpbridge.audit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A connection that is given back as it came, since a pool may keep it.
 *
 * @param networkTimeout in milliseconds; negative where the database is in this process and there is none
 */
record LentConnection(Connection connection, TrailSettings settings, int networkTimeout, boolean isReadOnly) {
    private static final int NONE = -1;

    /** Takes a connection over. */
    static LentConnection of(Connection connection, TrailSettings settings) throws SQLException {
        return new LentConnection(connection, settings, networkTimeout(connection), connection.isReadOnly());
    }

    private static int networkTimeout(Connection connection) {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLException | UnsupportedOperationException | AbstractMethodError noNetwork) {
            return NONE;
        }
    }

    /** Breaks off what the database is silent about for so long. */
    void limitSilence(Duration silence) throws SQLException {
        if (networkTimeout != NONE) {
            connection.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
        }
    }

    /** Closes it; a pool gets a session that has no lock of ours. */
    void giveBack() {
        try (connection) {
            if (!connection.isClosed()) {
                leave();
            }
        } catch (SQLException | RuntimeException gone) {
            // It is closed then, and its session is over.
            return;
        }
    }

    private void leave() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        Dialect.of(connection).leave(connection, settings);
        if (connection.isReadOnly() != isReadOnly) {
            connection.setReadOnly(isReadOnly);
        }
        if (networkTimeout != NONE) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }
    }
}
