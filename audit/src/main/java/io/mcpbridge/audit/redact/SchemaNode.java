package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One schema within another one, as far as secrets are concerned; not changed any more once it is compiled. */
final class SchemaNode {
    final Map<String, SchemaNode> properties = new HashMap<>();

    /** Of members that have no schema of their own. */
    final List<SchemaNode> others = new ArrayList<>();

    /** Of elements, at whatever place. */
    final List<SchemaNode> items = new ArrayList<>();

    /** Of the same value. */
    final List<SchemaNode> same = new ArrayList<>();

    /** Whether {@link #others} may hold for members that have a schema of their own too. */
    boolean hasPatterns;

    boolean secret;

    static SchemaNode secret() {
        var node = new SchemaNode();
        node.secret = true;
        return node;
    }
}
