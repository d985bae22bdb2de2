package io.mcpbridge.audit.jdbc;

/** Somebody else writes the trail at this moment. */
final class TrailTakenException extends Exception {
    private static final long serialVersionUID = 1L;

    TrailTakenException(String trail, String by) {
        super("the audit trail '%s' is written by %s; stop that or choose another 'trail'".formatted(trail, by));
    }
}
