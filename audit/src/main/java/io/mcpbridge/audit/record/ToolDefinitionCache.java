package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.redact.SchemaMarks;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.tool.Json;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Caches the parts of tool definitions that records need. Any thread may use it. */
final class ToolDefinitionCache {
    private static final int MAX_DEFINITIONS = 512;

    /** Locks itself; the last used ones are kept. */
    private final Map<String, Definition> byText = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Definition> eldest) {
            return size() > MAX_DEFINITIONS;
        }
    });

    /**
     * The parts of a definition that a record needs.
     *
     * @param hash {@code sha256:} and the hash of its canonical form, or {@code sha256-raw:} and the hash of its text
     *     if it has no such form; empty if the definition is unknown
     * @param isClosed whether the tool declares that it does not reach beyond its server ({@code openWorldHint: false})
     * @param arguments the marks of its secret arguments
     * @param result the marks of its secret structured content
     */
    record Definition(String hash, boolean isClosed, SchemaMarks arguments, SchemaMarks result) {
        static final Definition UNKNOWN = new Definition("", false, SchemaMarks.NONE, SchemaMarks.NONE);
    }

    Definition of(String text) {
        if (text.isEmpty()) {
            return Definition.UNKNOWN;
        }
        var known = byText.get(text);
        if (known == null) {
            known = read(text);
            byText.put(text, known);
        }
        return known;
    }

    private static Definition read(String text) {
        try {
            var members = Json.parse(text).asMap();
            var marked = SchemaMarks.mayMark(text);
            return new Definition(
                    hash(text, members),
                    members.get("annotations") instanceof Map<?, ?> annotations
                            && Boolean.FALSE.equals(annotations.get("openWorldHint")),
                    marked ? SchemaMarks.of(members.get("inputSchema")) : SchemaMarks.NONE,
                    marked ? SchemaMarks.of(members.get("outputSchema")) : SchemaMarks.NONE);
        } catch (ProtocolException e) {
            return new Definition("sha256-raw:" + sha256(text), false, SchemaMarks.ALL, SchemaMarks.ALL);
        }
    }

    private static String hash(String text, Map<String, @Nullable Object> members) {
        try {
            return "sha256:" + CanonicalJson.RFC_8785.sha256(members);
        } catch (IllegalArgumentException e) {
            return "sha256-raw:" + sha256(text);
        }
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(AuditChain.sha256().digest(text.getBytes(UTF_8)));
    }
}
