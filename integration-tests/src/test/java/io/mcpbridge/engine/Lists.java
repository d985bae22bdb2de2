package io.mcpbridge.engine;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.UpstreamTools;
import java.util.ArrayList;
import java.util.List;

/** Keeps the lists of tools that somebody was told. */
final class Lists implements UpstreamTools.Listed {
    final List<List<String>> told = new ArrayList<>();
    final List<Failure> failures = new ArrayList<>();

    @Override
    public void tools(List<ToolDefinition> tools) {
        told.add(tools.stream().map(ToolDefinition::name).toList());
    }

    @Override
    public void failed(Failure why) {
        failures.add(why);
    }
}
