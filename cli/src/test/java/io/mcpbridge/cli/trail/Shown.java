package io.mcpbridge.cli.trail;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is shown. Any thread may use it. */
final class Shown implements TrailScreen {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> remarks = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;

    List<String> lines() {
        return lines;
    }

    List<String> remarks() {
        return remarks;
    }

    /** Nobody looks any more. */
    void leave() {
        isOver = true;
    }

    @Override
    public void show(String text) {
        lines.add(text);
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
