package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.util.List;

/** The arguments of a call do not fit the schema or the record of the tool. */
final class InvalidArgumentsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<SchemaIssue> issues;

    /** Takes at least one issue. */
    InvalidArgumentsException(List<SchemaIssue> issues) {
        super(issues.stream().map(SchemaIssue::toString).collect(joining("; ")));
        this.issues = List.copyOf(issues);
    }

    /** The mistakes in the arguments. */
    List<SchemaIssue> issues() {
        return issues;
    }
}
