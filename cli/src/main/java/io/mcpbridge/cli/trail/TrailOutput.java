package io.mcpbridge.cli.trail;

/** Receives the lines and remarks that a command shows about a trail. */
public interface TrailOutput {

    void line(String text);

    /** Shows a remark about an irregularity of the trail. */
    void remark(String text);

    /** Whether the user has ended the display. */
    boolean isClosed();
}
