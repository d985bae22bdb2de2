package io.mcpbridge.serve;

import io.mcpbridge.tool.ToolHints;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a tool says of itself, and how it may be called. Immutable; begins at {@link #of} or {@link #DEFAULTS}.
 *
 * <p>What is not declared is assumed to be the worst: that the tool changes something, that doing so twice is not like
 * once, and that its calls must not overlap.
 */
public final class ToolConfig {
    /** A tool without a schema; for those that take a record, whose schema is derived. */
    public static final ToolConfig DEFAULTS = new ToolConfig(new Draft());

    private final String title;
    private final String description;
    private final String inputSchema;
    private final ToolHints hints;
    private final boolean isEssential;
    private final boolean isParallel;
    private final Set<Capability> needs;

    private ToolConfig(Draft draft) {
        this.title = draft.title;
        this.description = draft.description;
        this.inputSchema = draft.inputSchema;
        this.hints = draft.hints;
        this.isEssential = draft.isEssential;
        this.isParallel = draft.isParallel;
        this.needs = Set.copyOf(draft.needs);
    }

    /**
     * A tool whose arguments fit this schema.
     *
     * @param inputSchema the JSON Schema of an object
     */
    public static ToolConfig of(String inputSchema) {
        return DEFAULTS.withInputSchema(inputSchema);
    }

    /** The same with another schema of the arguments. */
    public ToolConfig withInputSchema(String json) {
        var draft = new Draft(this);
        draft.inputSchema = json;
        return new ToolConfig(draft);
    }

    /** The same with a title for people; without one it is the tool's name. */
    public ToolConfig withTitle(String text) {
        var draft = new Draft(this);
        draft.title = text;
        return new ToolConfig(draft);
    }

    /** The same with words for the client's model. */
    public ToolConfig withDescription(String text) {
        var draft = new Draft(this);
        draft.description = text;
        return new ToolConfig(draft);
    }

    /** The same with hints about repeating it. */
    public ToolConfig withHints(ToolHints newHints) {
        var draft = new Draft(this);
        draft.hints = newHints;
        return new ToolConfig(draft);
    }

    /** The same, which changes nothing. */
    public ToolConfig asReadOnly() {
        return withHints(new ToolHints(true, false, true, hints.openWorld(), ToolHints.Source.SERVER));
    }

    /** The same, which is offered in mode {@link Mode#MINIMAL} too. */
    public ToolConfig asEssential() {
        var draft = new Draft(this);
        draft.isEssential = true;
        return new ToolConfig(draft);
    }

    /** The same, whose calls may overlap. */
    public ToolConfig inParallel() {
        var draft = new Draft(this);
        draft.isParallel = true;
        return new ToolConfig(draft);
    }

    /** The same, which is offered only where all of these are to be had. */
    public ToolConfig needing(Capability first, Capability... others) {
        var draft = new Draft(this);
        draft.needs = EnumSet.of(first, others);
        return new ToolConfig(draft);
    }

    /** The title; empty if it is the tool's name. */
    Optional<String> title() {
        return Optional.of(title).filter(text -> !text.isEmpty());
    }

    String description() {
        return description;
    }

    /** The schema; the empty string where there is none yet. */
    String inputSchema() {
        return inputSchema;
    }

    ToolHints hints() {
        return hints;
    }

    boolean isEssential() {
        return isEssential;
    }

    boolean isParallel() {
        return isParallel;
    }

    Set<Capability> needs() {
        return needs;
    }

    /** The fields while a copy is made; never leaves this class. */
    private static final class Draft {
        private String title = "";
        private String description = "";
        private String inputSchema = "";
        private ToolHints hints = ToolHints.UNDECLARED;
        private boolean isEssential;
        private boolean isParallel;
        private Set<Capability> needs = Set.of();

        private Draft() {}

        private Draft(ToolConfig from) {
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
