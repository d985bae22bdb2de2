package io.mcpbridge.server;

import io.mcpbridge.server.ServerMode.Capability;
import io.mcpbridge.tool.Content;
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
 * @param outputSchema the JSON Schema of what the handler returns; the empty string if none is declared
 * @param hints whether a call may be repeated
 * @param isEssential whether mode {@link ServerMode#MINIMAL} admits it
 * @param isParallel whether its calls may overlap
 * @param isEnveloped whether clients get the result in the envelope {@code {"ok":…}}
 * @param needs the capabilities without which a mode does not admit it
 */
public record ToolConfig(
        String title,
        String description,
        String inputSchema,
        String outputSchema,
        ToolHints hints,
        boolean isEssential,
        boolean isParallel,
        boolean isEnveloped,
        Set<Capability> needs) {

    /** No schema: for a tool whose arguments are a record, from which the schema is derived. */
    public static final ToolConfig DEFAULTS =
            new ToolConfig("", "", "", "", ToolHints.UNDECLARED, false, false, true, Set.of());

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
        return new ToolConfig(
                title, description, json, outputSchema, hints, isEssential, isParallel, isEnveloped, needs);
    }

    /**
     * The same with this schema of what the handler returns. Clients see it as {@code outputSchema}, and a result that
     * does not fit is an error of the tool. Without an envelope it is the schema of an object.
     */
    public ToolConfig withOutputSchema(String json) {
        return new ToolConfig(
                title, description, inputSchema, json, hints, isEssential, isParallel, isEnveloped, needs);
    }

    /**
     * The same with the schema of this record, which the handler returns.
     *
     * @throws IllegalArgumentException if the type of a component has no JSON form
     */
    public ToolConfig returning(Class<? extends Record> type) {
        return withOutputSchema(RecordSchema.of(type));
    }

    /** The same with this title; the default is the name of the tool. */
    public ToolConfig withTitle(String text) {
        return new ToolConfig(
                text, description, inputSchema, outputSchema, hints, isEssential, isParallel, isEnveloped, needs);
    }

    /** The same with this description, for the model of the client. */
    public ToolConfig withDescription(String text) {
        return new ToolConfig(
                title, text, inputSchema, outputSchema, hints, isEssential, isParallel, isEnveloped, needs);
    }

    /** The same with these hints. */
    public ToolConfig withHints(ToolHints newHints) {
        return new ToolConfig(
                title, description, inputSchema, outputSchema, newHints, isEssential, isParallel, isEnveloped, needs);
    }

    /** The same, declared read-only. */
    public ToolConfig asReadOnly() {
        return withHints(new ToolHints(true, false, true, hints.openWorld(), ToolHints.Source.SERVER));
    }

    /** The same, declared essential: mode {@link ServerMode#MINIMAL} admits it. */
    public ToolConfig asEssential() {
        return new ToolConfig(
                title, description, inputSchema, outputSchema, hints, true, isParallel, isEnveloped, needs);
    }

    /** The same, with calls that may overlap. */
    public ToolConfig inParallel() {
        return new ToolConfig(
                title, description, inputSchema, outputSchema, hints, isEssential, true, isEnveloped, needs);
    }

    /**
     * The same, with results that clients get as they are: a string as text, {@link Content} or a list of it as content
     * blocks, {@link ToolHandler.ToolOutput} as both its parts, other values as JSON text, and objects among them as structured
     * content too. An exception of the handler becomes text.
     */
    public ToolConfig withoutEnvelope() {
        return new ToolConfig(
                title, description, inputSchema, outputSchema, hints, isEssential, isParallel, false, needs);
    }

    /** The same, admitted only in modes with all these capabilities. */
    public ToolConfig needing(Capability first, Capability... others) {
        return new ToolConfig(
                title,
                description,
                inputSchema,
                outputSchema,
                hints,
                isEssential,
                isParallel,
                isEnveloped,
                EnumSet.of(first, others));
    }
}
