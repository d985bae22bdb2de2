package io.mcpbridge.cli.trail;

/** Where what is found goes. */
public interface TrailScreen {

    void show(String text);

    /** Tells something odd about the trail. */
    void remark(String text);

    /** Whether nobody looks any more. */
    boolean isOver();
}
