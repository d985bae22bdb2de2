package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.json.CanonicalJson;
import io.mcpbridge.audit.internal.json.JsonValues;
import io.mcpbridge.audit.internal.json.MalformedJsonException;
import io.mcpbridge.audit.redact.SchemaMarks;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was read in definitions of tools, kept for those that were used last. One thread at a time. */
final class Definitions {
    private static final int MOST = 512;

    private final LinkedHashMap<String, Definition> byText = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Definition> eldest) {
            return size() > MOST;
        }
    };

    /**
     * What a record needs to know of a definition.
     *
     * @param hash {@code sha256:} and that of its canonical form, or {@code sha256-raw:} and that of its text where it has
     *     none; empty where the definition is not known
     * @param isClosed whether the tool says that it does not reach beyond its server
     * @param arguments which of its arguments are secret
     * @param result what of its structured content is secret
     */
    record Definition(String hash, boolean isClosed, SchemaMarks arguments, SchemaMarks result) {
        static final Definition UNKNOWN = new Definition("", false, SchemaMarks.NONE, SchemaMarks.NONE);
    }

    Definition of(String text) {
        return text.isEmpty() ? Definition.UNKNOWN : byText.computeIfAbsent(text, Definitions::read);
    }

    private static Definition read(String text) {
        try {
            var members = JsonValues.readObject(text);
            var annotations = JsonValues.members(members.get("annotations")).orElse(Map.of());
            var marked = SchemaMarks.mayMark(text);
            return new Definition(
                    hash(text, members),
                    Boolean.FALSE.equals(annotations.get("openWorldHint")),
                    marked ? SchemaMarks.of(members.get("inputSchema")) : SchemaMarks.NONE,
                    marked ? SchemaMarks.of(members.get("outputSchema")) : SchemaMarks.NONE);
        } catch (MalformedJsonException unreadable) {
            return new Definition("sha256-raw:" + sha256(text), false, SchemaMarks.ALL, SchemaMarks.ALL);
        }
    }

    private static String hash(String text, Map<String, @Nullable Object> members) {
        try {
            return "sha256:" + sha256(CanonicalJson.write(members));
        } catch (MalformedJsonException hasNoForm) {
            return "sha256-raw:" + sha256(text);
        }
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
