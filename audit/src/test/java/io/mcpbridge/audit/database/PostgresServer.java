package io.mcpbridge.audit.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A running PostgreSQL with a user who may do everything. */
public interface PostgresServer extends AutoCloseable {
    String url();

    String user();

    String password();

    @Override
    void close();

    /** Connections of that user. */
    default DataSource source() {
        var source = new PGSimpleDataSource();
        source.setUrl(url());
        source.setUser(user());
        source.setPassword(password());
        return source;
    }

    default Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }
}
