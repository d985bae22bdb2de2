package io.mcpbridge.workflow;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow: its input, its steps, and its result. Immutable.
 *
 * <p>A step may use the values of steps above it, and those of the context: what {@link WorkflowEngine#execute} was given,
 * and what steps above assigned.
 */
public final class Workflow {
    static final int MAX_BYTES = 1 << 20;

    private final String name;
    private final String description;
    private final WorkflowInput input;
    private final List<WorkflowStep> steps;
    private final @Nullable Object result;

    Workflow(String name, String description, WorkflowInput input, List<WorkflowStep> steps, @Nullable Object result) {
        this.name = name;
        this.description = description;
        this.input = input;
        this.steps = List.copyOf(steps);
        this.result = result;
    }

    /**
     * Reads a file of YAML or JSON.
     *
     * @throws ConfigurationException if it cannot be read, or with every mistake in it
     */
    public static Workflow read(Path file) {
        String text;
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw ConfigurationException.of("the workflow '%s' has %d bytes but may have at most %d"
                        .formatted(file, Files.size(file), MAX_BYTES));
            }
            text = Files.readString(file);
        } catch (IOException unreadable) {
            throw ConfigurationException.of("cannot read the workflow '%s': %s; name a readable file of UTF-8 text"
                    .formatted(file, ErrorText.of(unreadable)));
        }
        try {
            return parse(text);
        } catch (ConfigurationException wrong) {
            throw ConfigurationException.ofAll(wrong.problems().stream()
                    .map(problem -> "%s: %s".formatted(file, problem))
                    .toList());
        }
    }

    /**
     * Reads YAML or JSON.
     *
     * @throws ConfigurationException with every mistake in it
     */
    public static Workflow parse(String text) {
        return WorkflowParser.parse(text);
    }

    /** The name; empty if it has none. */
    public String name() {
        return name;
    }

    /** The description, for people and for the model of a client; may be empty. */
    public String description() {
        return description;
    }

    /** The JSON Schema of the context. */
    public Json inputSchema() {
        return input.schema();
    }

    /** The steps, in the order of the file. */
    public List<WorkflowStep> steps() {
        return steps;
    }

    WorkflowInput input() {
        return input;
    }

    /** What the workflow returns, with references; null for the data of the last step. */
    @Nullable
    Object result() {
        return result;
    }

    @Override
    public String toString() {
        return "workflow " + name;
    }
}
