package io.mcpbridge.audit.verify;

import java.util.List;
import java.util.Optional;

/**
 * The result of a verification. Counting ends at the first fault in the records, but not at a fault in the checkpoints.
 *
 * @param records the number of checked records
 * @param first the sequence of the first checked record; 0 if there is none
 * @param last the sequence of the last checked record; 0 if there is none
 * @param segments the number of segments that were read
 * @param checkpoints the number of checkpoints whose signature was checked
 * @param covered the sequence of the last checked record that a checkpoint covers; 0 if there is none
 * @param fault the first fault
 * @param remarks irregularities that are no faults, each in one sentence
 */
public record AuditReport(
        long records,
        long first,
        long last,
        int segments,
        int checkpoints,
        long covered,
        Optional<Fault> fault,
        List<String> remarks) {

    public AuditReport {
        remarks = List.copyOf(remarks);
    }

    /** Whether there is no fault. */
    public boolean holds() {
        return fault.isEmpty();
    }

    /** The number of records after the last checkpoint, which an attacker could cut off without a trace. */
    public long uncovered() {
        return Math.max(0, last - Math.max(covered, first - 1));
    }

    /**
     * The first fault of a trail.
     *
     * @param kind the kind of damage
     * @param file the name of the segment, or of the file of checkpoints
     * @param line the line in that file, from 1; 0 if no line is wrong
     * @param sequence the sequence of the record that does not fit, or of the first missing one
     * @param message the fault in one sentence
     */
    public record Fault(Kind kind, String file, long line, long sequence, String message) {

        /** The kinds of damage to a trail. */
        public enum Kind {
            /** This record, or one between the last checkpoint and this one, was changed after it was written. */
            CHANGED,
            /** Records are missing. */
            MISSING,
            /** A record is in the place of another one, or occurs twice. */
            REORDERED,
            /** The trail ends before the last record that a checkpoint covers. */
            TRUNCATED,
            /** A checkpoint was not signed with the key. */
            BAD_SIGNATURE
        }

        @Override
        public String toString() {
            return "%s, %s%s, record %d: %s".formatted(kind, file, line == 0 ? "" : " line " + line, sequence, message);
        }
    }
}
