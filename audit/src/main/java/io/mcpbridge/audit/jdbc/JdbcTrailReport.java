package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.ChainHead;
import java.util.Optional;

/**
 * What a trail in a database was found to be.
 *
 * @param records how many were read and found in order
 * @param head where the chain stands after them; whoever keeps it elsewhere can find out later whether they are there
 * @param fault the first thing that is wrong, with its sequence; empty where nothing is
 */
public record JdbcTrailReport(long records, ChainHead head, Optional<String> fault) {

    /** Whether every record is as it was written and in its place. */
    public boolean holds() {
        return fault.isEmpty();
    }
}
