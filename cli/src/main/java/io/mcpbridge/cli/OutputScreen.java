package io.mcpbridge.cli;

import io.mcpbridge.cli.trail.TrailScreen;

/** Shows what is found in an audit trail on standard output, and what is odd about it on standard error. */
final class OutputScreen implements TrailScreen {
    private final Output output;

    OutputScreen(Output output) {
        this.output = output;
    }

    @Override
    public void show(String text) {
        output.line(text);
    }

    @Override
    public void remark(String text) {
        output.error("mcp-bridge: " + text);
    }

    @Override
    public boolean isOver() {
        return output.isOver();
    }
}
