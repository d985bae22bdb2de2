package io.mcpbridge.routing.search;

import io.mcpbridge.call.Call;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.routing.ShownTool;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolSearch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What somebody looks for.
 *
 * @param words the words that a tool must have; none for every tool
 * @param server only tools of this server
 * @param limit how many tools to tell
 */
record SearchQuery(String words, Optional<String> server, int limit) {
    /** How many characters the tools that are found have together at the most. */
    static final int MAX_LENGTH = 128 << 10;

    private static final List<String> KNOWN = List.of("query", "server", "limit");

    /** Reads the arguments of a call. */
    static SearchQuery of(Call call) {
        var members = Unsuitable.members(call, KNOWN);
        var words = Unsuitable.text(members, "query")
                .orElseThrow(() -> Unsuitable.because("'query' must be a text, the words to look for"));
        return new SearchQuery(words, Unsuitable.text(members, "server"), limit(members));
    }

    private static int limit(Map<String, String> members) {
        var raw = members.get("limit");
        if (raw == null) {
            return OwnTools.USUAL_LIMIT;
        }
        return NumberText.readInt(raw)
                .filter(number -> number >= 1 && number <= OwnTools.MAX_LIMIT)
                .orElseThrow(() -> Unsuitable.because("'limit' is %s but must be a whole number from 1 to %d"
                        .formatted(Unsuitable.cut(raw), OwnTools.MAX_LIMIT)));
    }

    /** What is found among the tools that its user sees, as the result of a call; the same each time for the same tools. */
    String result(List<ShownTool> shown) {
        var candidates = shown.stream()
                .filter(tool -> server.isEmpty() || tool.server().equals(server.get()))
                .map(ShownTool::definition)
                .filter(tool -> !OwnTools.has(tool.name()))
                .toList();
        var found = words.isBlank() ? candidates : ToolSearch.of(words).in(candidates);
        var json = told(found);
        return "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s}"
                .formatted(JsonText.quote(json), json);
    }

    private String told(List<ToolDefinition> found) {
        var json = new StringBuilder("{\"tools\":[");
        int told = 0;
        for (var tool : found) {
            var entry = entry(tool);
            if (told == limit || json.length() + entry.length() > MAX_LENGTH) {
                break;
            }
            json.append(told == 0 ? "" : ",").append(entry);
            told++;
        }
        json.append("],\"found\":").append(found.size());
        if (told < found.size()) {
            json.append(",\"hint\":")
                    .append(JsonText.quote(
                            "%d of %d are told; more words or a 'server' find fewer".formatted(told, found.size())));
        }
        return json.append('}').toString();
    }

    /** What a model needs to call a tool; of one that alone would fill the answer its name and title. */
    private static String entry(ToolDefinition tool) {
        var members = new LinkedHashMap<String, String>();
        members.put("name", JsonText.quote(tool.name()));
        tool.title().ifPresent(title -> members.put("title", JsonText.quote(title)));
        var brief = Json.object(members);
        tool.description().ifPresent(text -> members.put("description", JsonText.quote(text)));
        tool.inputSchema().ifPresent(schema -> members.put("inputSchema", schema));
        var whole = Json.object(members);
        return whole.length() <= MAX_LENGTH / 2 ? whole : brief;
    }
}
