package io.mcpbridge.audit.jdbc;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Classifies {@link SQLException}s, and makes messages of them without secrets. */
final class SqlErrors {
    private static final Pattern ADDRESS = Pattern.compile("jdbc:[^\\s'\"]+");
    private static final Pattern DETAIL = Pattern.compile("\\R\\s*Detail:.*", Pattern.DOTALL);
    private static final Pattern LINES = Pattern.compile("\\s*\\R\\s*");

    /** The SQLSTATE classes for data that cannot be stored: invalid data (22) and exceeded limits (54). */
    private static final Set<String> OF_RECORD = Set.of("22", "54");

    private static final String WRONG_LOGIN = "28";
    private static final String NO_RIGHT = "42501";
    private static final String NO_DATABASE = "3D000";
    private static final String WRONG_TABLE = "42703";

    private SqlErrors() {}

    /** Whether one of the records is at fault, not the database. */
    static boolean isOfRecord(SQLException failed) {
        return OF_RECORD.contains(stateClass(failed));
    }

    /** The message in one line. Addresses in it lose user, password and query; quotes of a record are removed. */
    static String message(SQLException failed) {
        var next = failed.getNextException();
        if (failed instanceof BatchUpdateException && next != null) {
            return message(next);
        }
        var text = failed.getMessage() == null ? "" : failed.getMessage();
        if (text.isEmpty() || text.contains("INSERT INTO")) {
            return "%s with the SQL state '%s'".formatted(failed.getClass().getSimpleName(), failed.getSQLState());
        }
        var line = LINES.matcher(DETAIL.matcher(text.strip()).replaceAll("")).replaceAll(" ");
        return ADDRESS.matcher(line).replaceAll(found -> Matcher.quoteReplacement(Secret.hiddenIn(found.group())));
    }

    /** The exception for a trail that cannot be opened; its message has the next step. */
    static ConfigurationException atOpening(SQLException failed, JdbcTrailSettings trail) {
        return ConfigurationException.of("the audit trail '%s' cannot be opened: %s; %s"
                .formatted(trail.trail(), message(failed), advice(failed, trail)));
    }

    private static String advice(SQLException failed, JdbcTrailSettings trail) {
        var state = failed.getSQLState() == null ? "" : failed.getSQLState();
        if (stateClass(failed).equals(WRONG_LOGIN)) {
            return "correct 'user' and 'password'";
        }
        return switch (state) {
            case NO_DATABASE -> "make the database, or correct 'url'";
            case NO_RIGHT ->
                "give the user the right to read and insert in '%s', and have the table made".formatted(trail.table());
            case WRONG_TABLE -> "'%s' is no table of audit trails, so choose another 'table'".formatted(trail.table());
            default -> "check that the database runs and that 'url' leads to it";
        };
    }

    private static String stateClass(SQLException failed) {
        var state = failed.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }
}
