package io.mcpbridge.spi;

import java.util.List;

/** Checks values against one JSON Schema. Any thread may use it; it makes no requests. */
public interface SchemaCheck {

    /** Lists the mistakes in a JSON value; empty if it fits. */
    List<SchemaIssue> issues(String json);

    /**
     * One way in which a value breaks its schema.
     *
     * @param path the location as a JSON pointer; the empty string is the value itself
     * @param message the mistake and the rule
     */
    record SchemaIssue(String path, String message) {

        /** The issue as text for people. */
        @Override
        public String toString() {
            return path.isEmpty() ? message : path + ": " + message;
        }
    }
}
