package io.mcpbridge.audit.verify;

import java.util.List;
import java.util.Optional;

/**
 * The result of a verification. The counts go to the first fault in the records; a fault in the checkpoints does not end
 * them.
 *
 * @param records that were checked
 * @param first the sequence of the first of them; 0 where there are none
 * @param last the sequence of the last of them; 0 where there are none
 * @param segments that were read
 * @param checkpoints whose signature was checked
 * @param covered the last of them that a checkpoint covers; 0 where there is none
 * @param fault the first one
 * @param remarks what is unusual but no fault, each in a sentence
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

    /** The number of records after the last checkpoint: they could be cut off without a trace. */
    public long uncovered() {
        return Math.max(0, last - Math.max(covered, first - 1));
    }

    /**
     * The first fault of a trail.
     *
     * @param kind what happened to the trail
     * @param file the name of the segment, or of the file with the checkpoints
     * @param line in that file, from 1; 0 where no line is wrong
     * @param sequence of the record that does not fit, or of the first one that is missing
     * @param message what is wrong, in one sentence
     */
    public record Fault(Kind kind, String file, long line, long sequence, String message) {

        /** The kinds of damage to a trail. */
        public enum Kind {
            /** This record, or one between the last checkpoint and this one, is not what it was when it was written. */
            CHANGED,
            /** Records are missing. */
            MISSING,
            /** A record is in the place of another one, or is there twice. */
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
