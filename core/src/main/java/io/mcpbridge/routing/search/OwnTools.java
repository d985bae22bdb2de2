package io.mcpbridge.routing.search;

import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Set;

/** The bridge's own tools. */
final class OwnTools {
    static final String SEARCH = "bridge__search_tools";
    static final String CALL = "bridge__call_tool";

    /** How many tools are found where nothing is said. */
    static final int USUAL_LIMIT = 10;

    static final int MAX_LIMIT = 50;

    static final List<ToolDefinition> ALL = List.of(ToolDefinition.parse("""
        {"name":"bridge__search_tools","title":"Search tools",\
        "description":"Finds tools by words of their names, titles and descriptions. Returns names, \
        titles, descriptions and input schemas, the best first. Call what was found with \
        bridge__call_tool.",\
        "inputSchema":{"type":"object","properties":{\
        "query":{"type":"string","description":"Words that all have to be there, or parts of words; an \
        empty text finds every tool."},\
        "server":{"type":"string","description":"Only tools of this server."},\
        "limit":{"type":"integer","minimum":1,"maximum":50,"default":10,"description":"How many tools to \
        return."}},\
        "required":["query"],"additionalProperties":false},\
        "annotations":{"readOnlyHint":true,"openWorldHint":false}}\
        """), ToolDefinition.parse("""
            {"name":"bridge__call_tool","title":"Call a tool",\
            "description":"Calls a tool that bridge__search_tools has found, and returns what it returns.",\
            "inputSchema":{"type":"object","properties":{\
            "name":{"type":"string","description":"The name of the tool as it was found."},\
            "arguments":{"type":"object","description":"Its arguments, as its input schema wants them."}},\
            "required":["name"],"additionalProperties":false}}\
            """));

    private static final Set<String> NAMES = Set.of(SEARCH, CALL);

    private OwnTools() {}

    /** Whether a name is the bridge's own, so that no tool of a server is shown or called by it. */
    static boolean has(String name) {
        return NAMES.contains(name);
    }
}
