package io.mcpbridge.server;

import io.mcpbridge.server.Mode.Capability;
import io.mcpbridge.tool.ToolHints;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Describes a tool and how it may be called. Immutable; start with {@link #of} or {@link #DEFAULTS}.
 *
 * <p>A tool that declares nothing counts as one that writes, that is not idempotent, and whose calls must not overlap.
 */
public final class ToolConfig {
    /** No schema: for a tool whose arguments are a record, from which the schema is derived. */
    public static final ToolConfig DEFAULTS = new ToolConfig(new Fields());

    private final Fields fields;

    private ToolConfig(Fields fields) {
        this.fields = fields;
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
        return with(copy -> copy.inputSchema = json);
    }

    /** The same with this title; the default is the name of the tool. */
    public ToolConfig withTitle(String text) {
        return with(copy -> copy.title = text);
    }

    /** The same with this description, for the model of the client. */
    public ToolConfig withDescription(String text) {
        return with(copy -> copy.description = text);
    }

    /** The same with these hints. */
    public ToolConfig withHints(ToolHints newHints) {
        return with(copy -> copy.hints = newHints);
    }

    /** The same, declared read-only. */
    public ToolConfig asReadOnly() {
        return withHints(new ToolHints(true, false, true, fields.hints.openWorld(), ToolHints.Source.SERVER));
    }

    /** The same, declared essential: mode {@link Mode#MINIMAL} admits it. */
    public ToolConfig asEssential() {
        return with(copy -> copy.isEssential = true);
    }

    /** The same, with calls that may overlap. */
    public ToolConfig inParallel() {
        return with(copy -> copy.isParallel = true);
    }

    /** The same, admitted only in modes with all these capabilities. */
    public ToolConfig needing(Capability first, Capability... others) {
        return with(copy -> copy.needs = Set.copyOf(EnumSet.of(first, others)));
    }

    /** The title; empty if it is the name of the tool. */
    Optional<String> title() {
        return Optional.of(fields.title).filter(text -> !text.isEmpty());
    }

    String description() {
        return fields.description;
    }

    /** The schema; the empty string if there is none. */
    String inputSchema() {
        return fields.inputSchema;
    }

    ToolHints hints() {
        return fields.hints;
    }

    boolean isEssential() {
        return fields.isEssential;
    }

    boolean isParallel() {
        return fields.isParallel;
    }

    Set<Capability> needs() {
        return fields.needs;
    }

    private ToolConfig with(Consumer<Fields> change) {
        var copy = new Fields(fields);
        change.accept(copy);
        return new ToolConfig(copy);
    }

    /** The fields; they change only before their configuration exists. */
    private static final class Fields {
        private String title = "";
        private String description = "";
        private String inputSchema = "";
        private ToolHints hints = ToolHints.UNDECLARED;
        private boolean isEssential;
        private boolean isParallel;
        private Set<Capability> needs = Set.of();

        private Fields() {}

        private Fields(Fields from) {
            title = from.title;
            description = from.description;
            inputSchema = from.inputSchema;
            hints = from.hints;
            isEssential = from.isEssential;
            isParallel = from.isParallel;
            needs = from.needs;
        }
    }
}
