package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file as the system offers it. Each method asks the system once; what it did is for the caller to check. */
interface SegmentFile extends AutoCloseable {

    /** Writes at a position, maybe fewer bytes than there are; returns how many. */
    int write(ByteBuffer bytes, long position) throws IOException;

    /** Returns when everything written survives the loss of power. */
    void force() throws IOException;

    /** Cuts what stands behind {@code size}. */
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
}
