package io.mcpbridge.spi;

import java.util.List;

/** Checks values against one JSON Schema. Any thread may use it; it asks nobody. */
public interface SchemaCheck {

    /** What is wrong with a JSON value; nothing if it fits. */
    List<SchemaIssue> issues(String json);
}
