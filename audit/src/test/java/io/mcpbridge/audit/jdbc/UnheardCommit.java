package io.mcpbridge.audit.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Connections that commit once and break before they confirm it; others write before the next connection is made. */
final class UnheardCommit implements ConnectionSource {
    private final DataSource source;
    private final Runnable others;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicBoolean isBroken = new AtomicBoolean();

    UnheardCommit(DataSource source, Runnable others) {
        this.source = source;
        this.others = others;
    }

    /** The next commit is the one. */
    void arm() {
        armed.set(true);
    }

    @Override
    public Connection connect() throws SQLException {
        if (isBroken.getAndSet(false)) {
            others.run();
        }
        var connection = source.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    try {
                        var answer = method.invoke(connection, arguments);
                        if (method.getName().equals("commit") && armed.getAndSet(false)) {
                            isBroken.set(true);
                            throw new SQLException("the connection broke", "08006");
                        }
                        return answer;
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
