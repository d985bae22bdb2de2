package io.mcpbridge.server;

import io.mcpbridge.server.ServerMode.Capability;
import io.mcpbridge.tool.ToolHints;
import java.util.EnumSet;
import java.util.Set;

/**
 * Describes a tool and how it may be called. Start with {@link #of} or {@link #DEFAULTS}.
 *
 * <p>A tool that declares nothing counts as one that writes, that is not idempotent, and whose calls must not overlap.
 *
 * @param title the empty string if it is the name of the tool
 * @param description for the model of the client; may be the empty string
 * @param inputSchema the JSON Schema of the arguments; the empty string if it is derived from a record
 * @param hints whether a call may be repeated
 * @param isEssential whether mode {@link ServerMode#MINIMAL} admits it
 * @param isParallel whether its calls may overlap
 * @param needs the capabilities without which a mode does not admit it
 */
public record ToolConfig(
        String title,
        String description,
        String inputSchema,
        ToolHints hints,
        boolean isEssential,
        boolean isParallel,
        Set<Capability> needs) {

    /** No schema: for a tool whose arguments are a record, from which the schema is derived. */
    public static final ToolConfig DEFAULTS = new ToolConfig("", "", "", ToolHints.UNDECLARED, false, false, Set.of());

    public ToolConfig {
        needs = Set.copyOf(needs);
    }

    /**
     * A tool with this schema.
     *
     * @param inputSchema the JSON Schema of an object
     */
    public static ToolConfig of(String inputSchema) {
        return DEFAULTS.withInputSchema(inputSchema);
    }

    /** The same with this schema of the arguments. */
    public ToolConfig withInputSchema(String json) {
        return new ToolConfig(title, description, json, hints, isEssential, isParallel, needs);
    }

    /** The same with this title; the default is the name of the tool. */
    public ToolConfig withTitle(String text) {
        return new ToolConfig(text, description, inputSchema, hints, isEssential, isParallel, needs);
    }

    /** The same with this description, for the model of the client. */
    public ToolConfig withDescription(String text) {
        return new ToolConfig(title, text, inputSchema, hints, isEssential, isParallel, needs);
    }

    /** The same with these hints. */
    public ToolConfig withHints(ToolHints newHints) {
        return new ToolConfig(title, description, inputSchema, newHints, isEssential, isParallel, needs);
    }

    /** The same, declared read-only. */
    public ToolConfig asReadOnly() {
        return withHints(new ToolHints(true, false, true, hints.openWorld(), ToolHints.Source.SERVER));
    }

    /** The same, declared essential: mode {@link ServerMode#MINIMAL} admits it. */
    public ToolConfig asEssential() {
        return new ToolConfig(title, description, inputSchema, hints, true, isParallel, needs);
    }

    /** The same, with calls that may overlap. */
    public ToolConfig inParallel() {
        return new ToolConfig(title, description, inputSchema, hints, isEssential, true, needs);
    }

    /** The same, admitted only in modes with all these capabilities. */
    public ToolConfig needing(Capability first, Capability... others) {
        return new ToolConfig(
                title, description, inputSchema, hints, isEssential, isParallel, EnumSet.of(first, others));
    }
}
