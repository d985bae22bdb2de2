package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.UserAccess;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.routing.RoutingTable.OwnName;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolSearch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Implements {@code bridge__search_tools} and {@code bridge__call_tool}, the bridge's own tools, for users who search:
 * lists them, answers searches, which the audit does not record since no server is involved, and turns a call of {@code
 * bridge__call_tool} into the call of the tool. Any thread may use it; nothing here waits.
 *
 * @param denied receives rejected calls that end here without a server
 */
public record ToolSearchStage(Router router, BiConsumer<Call, Failure> denied) implements CallStage {
    private static final String SEARCH = "bridge__search_tools";
    private static final String CALL = "bridge__call_tool";
    private static final Set<String> NAMES = Set.of(SEARCH, CALL);

    private static final int DEFAULT_LIMIT = 10;
    private static final int MAX_LIMIT = 50;

    /** The most tools that are always listed. */
    private static final int MAX_LISTED = 200;

    /** The most characters of the tools in one answer. */
    private static final int MAX_LENGTH = 128 << 10;

    private static final int LONGEST_SHOWN = 40;

    private static final List<ToolDefinition> OWN_TOOLS = List.of(ToolDefinition.parse("""
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

    @Override
    public void handle(CallContext call, Next next) {
        if (!router.routes().visibility().isSearching(call.caller().principal().name())) {
            next.handle(call);
        } else if (call.request().method().equals(Methods.TOOLS_LIST)) {
            list(router.routes().visibility(), call);
        } else if (names(call, SEARCH)) {
            find(call);
        } else if (names(call, CALL)) {
            unwrap(call, next);
        } else {
            next.handle(call);
        }
    }

    private void unwrap(CallContext call, Next next) {
        try {
            PipelineCall.of(call).request(unwrapped(call.request()));
        } catch (UnusableArguments arguments) {
            arguments.answer(call);
            return;
        }
        var name = call.request().text(MessageField.NAME).orElse("");
        if (NAMES.contains(name)) {
            var why = Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: " + name);
            denied.accept(call, why);
            call.complete(Outcome.failed(why));
            return;
        }
        next.handle(call);
    }

    private static boolean names(Call call, String tool) {
        return call.request().method().equals(Methods.TOOLS_CALL)
                && call.request().text(MessageField.NAME).filter(tool::equals).isPresent();
    }

    private static Request unwrapped(Request request) {
        var members = members(request, List.of("name", "arguments"));
        var name = text(members, "name")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new UnusableArguments(
                        "'name' must be the name of a tool, such as one that %s finds".formatted(SEARCH)));
        var splice = request.splice().replaceText(MessageField.NAME, name);
        var arguments = members.get("arguments");
        if (arguments == null) {
            splice.remove(MessageField.ARGUMENTS);
        } else if (arguments.startsWith("{")) {
            splice.replace(MessageField.ARGUMENTS, arguments);
        } else {
            throw new UnusableArguments("'arguments' is %s but must be an object"
                    .formatted(VisibleText.beginning(arguments, LONGEST_SHOWN)));
        }
        return (Request) splice.done();
    }

    private void list(UserAccess visibility, CallContext call) {
        if (call.request().has(MessageField.CURSOR)) {
            var words = "the cursor %s is none of this list, which has one page; begin again without one";
            call.complete(Outcome.failed(Failure.of(
                    ErrorCode.INVALID_PARAMS,
                    words.formatted(call.request().raw(MessageField.CURSOR).orElse("")))));
        } else if (visibility.alwaysListed().isEmpty()) {
            answer(call, toolsResult(List.of()));
        } else {
            router.shownTools(call, shown -> answer(call, toolsResult(alwaysListed(visibility, shown))));
        }
    }

    private static List<ToolDefinition> alwaysListed(UserAccess visibility, MergedList<ToolDefinition> shown) {
        return shown.exposed().values().stream()
                .filter(tool -> visibility.isAlwaysListed(tool.name()) && !NAMES.contains(tool.name()))
                .limit(MAX_LISTED)
                .toList();
    }

    private static String toolsResult(List<ToolDefinition> listed) {
        var all = new ArrayList<>(OWN_TOOLS);
        all.addAll(listed);
        return all.stream().map(tool -> tool.json().text()).collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    }

    private void find(CallContext call) {
        try {
            var query = Query.of(call);
            router.shownTools(call, shown -> answer(call, query.result(shown)));
        } catch (UnusableArguments arguments) {
            arguments.answer(call);
        }
    }

    private static void answer(CallContext call, String result) {
        call.complete(Outcome.answered(Response.result(call.request().id(), result)));
    }

    /** Returns the raw members of the arguments; rejects members that are not {@code known}. */
    private static Map<String, String> members(Request request, Collection<String> known) {
        var raw = request.raw(MessageField.ARGUMENTS).orElse("{}");
        Map<String, String> members;
        try {
            members = JsonCodec.rawMembers(raw);
        } catch (ProtocolException notOne) {
            throw new UnusableArguments(
                    "the arguments must be one object: " + notOne.failure().message());
        }
        for (var key : members.keySet()) {
            if (!known.contains(key)) {
                throw new UnusableArguments("there is no argument '%s'; there are %s".formatted(key, known));
            }
        }
        return members;
    }

    private static Optional<String> text(Map<String, String> members, String key) {
        var raw = members.get(key);
        if (raw != null && !raw.startsWith("\"")) {
            throw new UnusableArguments(
                    "'%s' is %s but must be a text".formatted(key, VisibleText.beginning(raw, LONGEST_SHOWN)));
        }
        return Optional.ofNullable(raw).map(JsonStrings::decode);
    }

    /**
     * The arguments of a search.
     *
     * @param words the words that a tool must have; empty for every tool
     * @param server only tools of this server
     * @param limit the most tools in the answer
     */
    private record Query(String words, Optional<String> server, int limit) {

        private static Query of(Call call) {
            var members = members(call.request(), List.of("query", "server", "limit"));
            var words = text(members, "query")
                    .orElseThrow(() -> new UnusableArguments("'query' must be a text, the words to look for"));
            return new Query(words, text(members, "server"), limit(members));
        }

        private static int limit(Map<String, String> members) {
            var raw = members.get("limit");
            if (raw == null) {
                return DEFAULT_LIMIT;
            }
            return NumberText.readInt(raw)
                    .filter(number -> number >= 1 && number <= MAX_LIMIT)
                    .orElseThrow(() -> new UnusableArguments("'limit' is %s but must be a whole number from 1 to %d"
                            .formatted(VisibleText.beginning(raw, LONGEST_SHOWN), MAX_LIMIT)));
        }

        /** Returns the result of the search in the tools that its user sees. */
        private String result(MergedList<ToolDefinition> shown) {
            var candidates = shown.exposed().entrySet().stream()
                    .filter(each -> server.isEmpty()
                            || shown.owner(each.getKey()).map(OwnName::server).equals(server))
                    .map(Map.Entry::getValue)
                    .filter(tool -> !NAMES.contains(tool.name()))
                    .toList();
            var found = words.isBlank() ? candidates : ToolSearch.of(words).in(candidates);
            var json = json(found);
            return "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s}"
                    .formatted(JsonStrings.quote(json), json);
        }

        private String json(List<ToolDefinition> found) {
            var json = new StringBuilder("{\"tools\":[");
            int count = 0;
            for (var tool : found) {
                var entry = entry(tool);
                if (count == limit || json.length() + entry.length() > MAX_LENGTH) {
                    break;
                }
                json.append(count == 0 ? "" : ",").append(entry);
                count++;
            }
            json.append("],\"found\":").append(found.size());
            if (count < found.size()) {
                json.append(",\"hint\":")
                        .append(JsonStrings.quote("%d of %d are shown; more words or a 'server' find fewer"
                                .formatted(count, found.size())));
            }
            return json.append('}').toString();
        }

        /**
         * Returns the parts of a definition that a model needs to call the tool; only name and title if it would fill
         * half of the answer.
         */
        private static String entry(ToolDefinition tool) {
            var members = new LinkedHashMap<String, String>();
            members.put("name", JsonStrings.quote(tool.name()));
            tool.title().ifPresent(title -> members.put("title", JsonStrings.quote(title)));
            var brief = JsonCodec.object(members);
            tool.description().ifPresent(text -> members.put("description", JsonStrings.quote(text)));
            tool.inputSchema().ifPresent(schema -> members.put("inputSchema", schema.text()));
            var whole = JsonCodec.object(members);
            return whole.length() <= MAX_LENGTH / 2 ? whole : brief;
        }
    }

    /** Thrown for invalid arguments; the model reads the reason in the result, as with any other tool. */
    private static final class UnusableArguments extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private UnusableArguments(String message) {
            super(message, null, false, false);
        }

        private void answer(CallContext call) {
            var text = JsonStrings.quote(String.valueOf(getMessage()));
            var result = "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"isError\":true}".formatted(text);
            ToolSearchStage.answer(call, result);
        }
    }
}
