package io.mcpbridge.message;

/** Takes the frames that a {@link FrameReader} has cut out of a byte stream. */
@FunctionalInterface
public interface FrameSink {

    /**
     * Takes one frame.
     *
     * @param exactBytes the frame without its line end, and nothing else; the sink owns the array
     */
    void frame(byte[] exactBytes);
}
