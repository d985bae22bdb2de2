package io.mcpbridge.engine;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.ArrayList;
import java.util.List;

/** Keeps the lists of tools that somebody was told. */
final class Lists implements UpstreamList.Listed<ToolDefinition> {
    final List<List<String>> told = new ArrayList<>();
    final List<Failure> failures = new ArrayList<>();

    @Override
    public void items(List<ToolDefinition> tools) {
        told.add(tools.stream().map(ToolDefinition::name).toList());
    }

    @Override
    public void failed(Failure why) {
        failures.add(why);
    }
}
