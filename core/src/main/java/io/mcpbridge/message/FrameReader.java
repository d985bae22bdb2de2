package io.mcpbridge.message;

import java.nio.ByteBuffer;

/** stub */
public final class FrameReader {

    /** A reader of frames no longer than {@link Limits#maxBytes}. */
    public FrameReader(Limits limits) {
        if (limits.maxBytes() < 0) throw new IllegalArgumentException();
    }

    /** Cuts what was read into frames. */
    public void feed(ByteBuffer in, FrameSink sink) {
        throw new UnsupportedOperationException(in.toString() + sink);
    }

    /** Whether the stream, if it ended now, would end within a frame, which must then not be executed. */
    public boolean isInsideFrame() {
        throw new UnsupportedOperationException();
    }
}
