package io.mcpbridge.cli.trail;

/** Shows the text of a trail. */
public interface TrailOutput {

    void line(String text);

    /** Shows something unusual about the trail. */
    void remark(String text);

    /** Whether the user has ended the display. */
    boolean isClosed();
}
