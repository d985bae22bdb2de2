package io.mcpbridge.tool;

import static io.mcpbridge.internal.json.JsonCodec.object;
import static io.mcpbridge.internal.json.JsonCodec.rawMembers;
import static io.mcpbridge.internal.json.JsonCodec.text;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.definition.DefinitionRepair;
import io.mcpbridge.internal.definition.DefinitionRules;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a tool, as its server sent it. Immutable. Keeps every member of the JSON object byte for byte,
 * including unknown ones. The hints may be those of the operator.
 */
public final class ToolDefinition {
    private static final Set<String> ABOUT_REPEATING = Set.of("readOnlyHint", "destructiveHint", "idempotentHint");

    private final String name;
    private final Map<String, String> members;

    /** Null for those that the server sent. */
    private final @Nullable ToolHints hints;

    /** Created on first use. Two threads may create it at the same time; the results are equal. */
    private volatile @Nullable Json json;

    private ToolDefinition(String name, Map<String, String> members, @Nullable ToolHints hints) {
        this.name = name;
        this.members = members;
        this.hints = hints;
    }

    /**
     * Reads one element of {@code tools/list}.
     *
     * @throws ProtocolException if it is not an object with a name
     */
    public static ToolDefinition parse(String json) {
        var members = rawMembers(json);
        var raw = members.getOrDefault("name", "");
        if (!raw.startsWith("\"") || raw.length() < 3) {
            throw ProtocolException.upstreamInvalid(
                    "a tool needs a 'name' that is a text, but has " + (raw.isEmpty() ? "none" : raw));
        }
        return new ToolDefinition(JsonStrings.decode(raw), members, null);
    }

    /** The tool's name at its server. */
    public String name() {
        return name;
    }

    public Optional<String> title() {
        return string("title");
    }

    public Optional<String> description() {
        return string("description");
    }

    /** The JSON Schema of the arguments. */
    public Optional<Json> inputSchema() {
        return Optional.ofNullable(members.get("inputSchema")).map(Json::ofChecked);
    }

    /** The JSON Schema of {@code structuredContent}. */
    public Optional<Json> outputSchema() {
        return Optional.ofNullable(members.get("outputSchema")).map(Json::ofChecked);
    }

    /**
     * The server's annotations on repeating the tool, which are trustworthy only if the server is. Annotations that say
     * nothing about repetition, such as a title alone, count as undeclared. Those of {@link #withHints} precede them.
     */
    public ToolHints hints() {
        if (hints != null) {
            return hints;
        }
        var annotations = members.get("annotations");
        if (annotations == null || !annotations.startsWith("{")) {
            return ToolHints.UNDECLARED;
        }
        var said = rawMembers(annotations);
        if (Collections.disjoint(said.keySet(), ABOUT_REPEATING)) {
            return ToolHints.UNDECLARED;
        }
        return new ToolHints(
                flag(said, "readOnlyHint", false),
                flag(said, "destructiveHint", true),
                flag(said, "idempotentHint", false),
                flag(said, "openWorldHint", true),
                ToolHints.Source.SERVER);
    }

    /**
     * Whether the tool runs only as a task, which its {@code execution.taskSupport} says: {@code required}.
     *
     * @throws ProtocolException if {@code execution} has a key twice
     */
    public boolean requiresTask() {
        var execution = members.getOrDefault("execution", "");
        return execution.startsWith("{")
                && text(rawMembers(execution).getOrDefault("taskSupport", ""))
                        .filter("required"::equals)
                        .isPresent();
    }

    /**
     * The first violation of the protocol in the definition, such as an input schema whose type is not {@code object}.
     * Many clients reject a whole list because of one such tool.
     *
     * @param era the era of the server
     * @return the violation as a clause; empty if there is none
     */
    public Optional<String> flaw(Era era) {
        return DefinitionRules.flaw(members, era);
    }

    /**
     * Returns the tool with harmless violations repaired. An optional member that is {@code null}, here or in a member
     * that the protocol describes, is removed. In the legacy era, the schema of a property becomes <code>{}</code>
     * instead of {@code true}, and <code>{"not":{}}</code> instead of {@code false}. Returns this object if there is
     * nothing to repair.
     *
     * @param era the era of the server
     */
    public ToolDefinition mended(Era era) {
        var mended = DefinitionRepair.of(members, era);
        return mended.equals(members) ? this : new ToolDefinition(name, mended, hints);
    }

    /** The same tool under another name. */
    public ToolDefinition withName(String newName) {
        var copy = new LinkedHashMap<>(members);
        copy.put("name", JsonStrings.quote(newName));
        return new ToolDefinition(newName, copy, hints);
    }

    /** The same tool with another schema of {@code structuredContent}. */
    public ToolDefinition withOutputSchema(String schemaJson) {
        var copy = new LinkedHashMap<>(members);
        copy.put("outputSchema", schemaJson);
        return new ToolDefinition(name, copy, hints);
    }

    /** The same tool with other hints, which its JSON does not have. */
    public ToolDefinition withHints(ToolHints newHints) {
        return new ToolDefinition(name, members, newHints);
    }

    /** The definition as JSON, with its members in the server's order. */
    public Json json() {
        var made = json;
        if (made == null) {
            made = Json.ofChecked(object(members));
            json = made;
        }
        return made;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ToolDefinition that && that.members.equals(members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return "tool " + name;
    }

    private Optional<String> string(String key) {
        return Optional.ofNullable(members.get(key)).flatMap(JsonCodec::text);
    }

    private static boolean flag(Map<String, String> said, String key, boolean otherwise) {
        var raw = said.get(key);
        return raw == null ? otherwise : raw.equals("true");
    }
}
