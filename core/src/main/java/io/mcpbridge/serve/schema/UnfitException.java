package io.mcpbridge.serve.schema;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.spi.SchemaIssue;
import java.util.List;

/** Arguments that a tool cannot be called with. */
public final class UnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<SchemaIssue> issues;

    /** One with at least one issue. */
    public UnfitException(List<SchemaIssue> issues) {
        super(issues.stream().map(SchemaIssue::toString).collect(joining("; ")));
        this.issues = List.copyOf(issues);
    }

    /** What does not fit. */
    public List<SchemaIssue> issues() {
        return issues;
    }
}
