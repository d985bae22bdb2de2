package io.mcpbridge.audit.verify;

/**
 * Where a trail first shows that something is wrong.
 *
 * @param kind what kind of thing it is
 * @param file the name of the segment, or of the file with the checkpoints
 * @param line in that file, from 1; 0 where it is no line that is wrong
 * @param sequence of the record that does not fit, or of the first one that is missing
 * @param message what is wrong, in one sentence
 */
public record AuditFault(Kind kind, String file, long line, long sequence, String message) {

    /** What was done to a trail. */
    public enum Kind {
        /** This record, or one between the last checkpoint and this one, is not what it was when it was written. */
        CHANGED,
        /** Records are not there. */
        MISSING,
        /** A record stands where another one belongs, or stands there twice. */
        REORDERED,
        /** The trail ends before the last record that was vouched for. */
        TRUNCATED,
        /** A checkpoint was not signed with the key. */
        BAD_SIGNATURE
    }

    @Override
    public String toString() {
        return "%s, %s%s, record %d: %s".formatted(kind, file, line == 0 ? "" : " line " + line, sequence, message);
    }
}
