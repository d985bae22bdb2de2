package io.mcpbridge.routing.search;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.SearchTools;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.routing.Router;
import io.mcpbridge.routing.ShownTool;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Lists the bridge's own tools to users who search, and searches for them. Like a list a search is the bridge's own
 * matter, so it stands outside of the audit. Any thread; never waits.
 */
public final class SearchStage implements CallStage {
    /** How many tools are always listed at the most. */
    static final int MAX_LISTED = 200;

    private final Router router;

    public SearchStage(Router router) {
        this.router = router;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var search = router.routes().searchTools();
        var method = call.request().method();
        if (!search.isFor(call.caller().principal().name())) {
            next.handle(call, reply);
        } else if (method.equals(Methods.TOOLS_LIST)) {
            list(search, call, reply);
        } else if (method.equals(Methods.TOOLS_CALL) && isSearch(call)) {
            search(call, reply);
        } else {
            next.handle(call, reply);
        }
    }

    private static boolean isSearch(Call call) {
        return call.request().text(Part.NAME).filter(OwnTools.SEARCH::equals).isPresent();
    }

    private void list(SearchTools search, Call call, Reply reply) {
        if (call.request().has(Part.CURSOR)) {
            var words = "the cursor %s is none of this list, which has one page; begin again without one";
            reply.done(Outcome.failed(Failure.of(
                    ErrorCode.INVALID_PARAMS,
                    words.formatted(call.request().raw(Part.CURSOR).orElse("")))));
        } else if (search.alwaysListed().isEmpty()) {
            answer(call, reply, tools(List.of()));
        } else {
            router.shownTools(call, shown -> answer(call, reply, tools(listed(search, shown))));
        }
    }

    private static List<ToolDefinition> listed(SearchTools search, List<ShownTool> shown) {
        return shown.stream()
                .map(ShownTool::definition)
                .filter(tool -> search.lists(tool.name()) && !OwnTools.has(tool.name()))
                .limit(MAX_LISTED)
                .toList();
    }

    private static String tools(List<ToolDefinition> listed) {
        var all = new ArrayList<>(OwnTools.ALL);
        all.addAll(listed);
        return all.stream().map(ToolDefinition::json).collect(Collectors.joining(",", "{\"tools\":[", "]}"));
    }

    private void search(Call call, Reply reply) {
        try {
            var query = SearchQuery.of(call);
            router.shownTools(call, shown -> answer(call, reply, query.result(shown)));
        } catch (Unsuitable arguments) {
            arguments.tell(call, reply);
        }
    }

    private static void answer(Call call, Reply reply, String result) {
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }
}
