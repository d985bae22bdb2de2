package io.mcpbridge;

/** Hears how far a call has come. Called on a thread of the bridge, which it must not keep. */
public interface ProgressListener {

    /**
     * Hears a notification of the server.
     *
     * @param json the raw params of {@code notifications/progress}
     */
    void progressed(String json);
}
