package io.mcpbridge.audit.verify;

/**
 * Which records of a trail are verified.
 *
 * @param from the sequence of the first one, from 1
 * @param to the sequence of the last one
 */
public record AuditRange(long from, long to) {

    /** All of them. */
    public static final AuditRange ALL = new AuditRange(1, Long.MAX_VALUE);

    public AuditRange {
        if (from < 1 || to < from) {
            throw new IllegalArgumentException(
                    "records %d to %d are none: the first is 1, and the last is not before it".formatted(from, to));
        }
    }
}
