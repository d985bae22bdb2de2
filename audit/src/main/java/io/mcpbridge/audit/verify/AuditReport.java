package io.mcpbridge.audit.verify;

import java.util.List;
import java.util.Optional;

/**
 * What a verifier found. The counts are of what was read until the first fault; where that is one of the checkpoints, of all
 * records, up to one that is at fault too.
 *
 * @param records that were checked
 * @param first the sequence of the first of them; 0 where there are none
 * @param last the sequence of the last of them; 0 where there are none
 * @param segments that were read
 * @param checkpoints whose signature was checked
 * @param covered the last of them at which a checkpoint vouches for what stands there; 0 where there is none
 * @param fault the first one
 * @param remarks what is odd and no fault, each in a sentence
 */
public record AuditReport(
        long records,
        long first,
        long last,
        int segments,
        int checkpoints,
        long covered,
        Optional<AuditFault> fault,
        List<String> remarks) {

    public AuditReport {
        remarks = List.copyOf(remarks);
    }

    /** Whether nothing is wrong. */
    public boolean holds() {
        return fault.isEmpty();
    }

    /** How many records came after the last checkpoint: whoever can write to the folder could cut them off unseen. */
    public long uncovered() {
        return Math.max(0, last - Math.max(covered, first - 1));
    }
}
