package io.mcpbridge.engine;

import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;

/** Keeps the lists of tools that a client received. */
final class Lists implements ListsByCaller.Callback<ToolDefinition> {
    final List<List<String>> told = new ArrayList<>();
    final List<Failure> failures = new ArrayList<>();

    @Override
    public void listed(List<ToolDefinition> tools) {
        told.add(tools.stream().map(ToolDefinition::name).toList());
    }

    @Override
    public void failed(Failure why) {
        failures.add(why);
    }
}
