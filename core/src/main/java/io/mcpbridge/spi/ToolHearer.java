package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;

/** Hears once what tool a call is of. Never waits. */
public interface ToolHearer {

    /** As its server lists it. */
    void found(ToolDefinition tool);

    /** Its server does not say now what it has, or somebody else decides whether the tool may be called. */
    void undecided();

    /** There is no such tool, or the call was withdrawn meanwhile. */
    void refused(Failure why);
}
