package io.mcpbridge.audit.jdbc;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an {@link SQLException} means, and how to tell it without telling secrets. */
final class SqlTrouble {
    private static final Pattern ADDRESS = Pattern.compile("jdbc:[^\\s'\"]+");
    private static final Pattern DETAIL = Pattern.compile("\\R\\s*Detail:.*", Pattern.DOTALL);
    private static final Pattern LINES = Pattern.compile("\\s*\\R\\s*");

    /** States that say that what is written cannot be stored, whatever one does: wrong data, or too much of it. */
    private static final Set<String> OF_RECORD = Set.of("22", "54");

    private static final String WRONG_LOGIN = "28";
    private static final String NO_RIGHT = "42501";
    private static final String NO_DATABASE = "3D000";
    private static final String WRONG_TABLE = "42703";

    private SqlTrouble() {}

    /** Whether one of the records is at fault rather than the database. */
    static boolean isOfRecord(SQLException failed) {
        return OF_RECORD.contains(stateClass(failed));
    }

    /**
     * In one line. Addresses in it are shown without user, password and query, and what a driver quotes of the records
     * that it was given is left out.
     */
    static String words(SQLException failed) {
        var next = failed.getNextException();
        if (failed instanceof BatchUpdateException && next != null) {
            return words(next);
        }
        var message = failed.getMessage() == null ? "" : failed.getMessage();
        if (message.isEmpty() || message.contains("INSERT INTO")) {
            return "%s with the SQL state '%s'".formatted(failed.getClass().getSimpleName(), failed.getSQLState());
        }
        var line = LINES.matcher(DETAIL.matcher(message.strip()).replaceAll("")).replaceAll(" ");
        return ADDRESS.matcher(line).replaceAll(found -> Matcher.quoteReplacement(Secret.hiddenIn(found.group())));
    }

    /** The mistake of the configuration that keeps a trail from being opened. */
    static ConfigurationException atOpening(SQLException failed, TrailSettings trail) {
        return ConfigurationException.of("the audit trail '%s' cannot be opened: %s; %s"
                .formatted(trail.trail(), words(failed), advice(failed, trail)));
    }

    private static String advice(SQLException failed, TrailSettings trail) {
        var state = failed.getSQLState() == null ? "" : failed.getSQLState();
        if (stateClass(failed).equals(WRONG_LOGIN)) {
            return "mend 'user' and 'password'";
        }
        return switch (state) {
            case NO_DATABASE -> "make the database, or mend 'url'";
            case NO_RIGHT ->
                "give the user the right to read and insert in '%s', and have the table made".formatted(trail.table());
            case WRONG_TABLE -> "'%s' is no table of audit trails, so choose another 'table'".formatted(trail.table());
            default -> "see that the database runs and that 'url' leads to it";
        };
    }

    private static String stateClass(SQLException failed) {
        var state = failed.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }
}
