package io.mcpbridge.cli.trail;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is shown. Any thread may use it. */
final class Shown implements TrailOutput {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> remarks = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;

    /** The lines below the names of the columns. */
    List<String> lines() {
        return lines;
    }

    List<String> remarks() {
        return remarks;
    }

    /** The user has ended the display. */
    void leave() {
        isOver = true;
    }

    @Override
    public void line(String text) {
        if (!text.startsWith("TIME ")) {
            lines.add(text);
        }
    }

    @Override
    public void remark(String text) {
        remarks.add(text);
    }

    @Override
    public boolean isClosed() {
        return isOver;
    }
}
