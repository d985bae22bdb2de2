package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.pipeline.AttemptDeadline;
import io.mcpbridge.pipeline.AttemptLog;
import io.mcpbridge.pipeline.ManyServersLog;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.pipeline.RetryStage;
import io.mcpbridge.pipeline.SingleServerLog;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.List;

/** The one place that shows in which order the stages of one server stand. */
public final class ServerStages {

    private ServerStages() {}

    /**
     * The server behind its stages: events, then attempts, and within each attempt whoever watches it and its deadline.
     *
     * @param patience how often is tried, and how long each time
     */
    public static Handler of(Upstream upstream, UpstreamList<ToolDefinition> tools, Patience patience) {
        Environment environment = upstream.environment();
        return Pipeline.of(
                List.of(
                        new ToolEvents(upstream.name(), upstream.events(), environment.timekeeper()),
                        new RetryStage(
                                patience::policy,
                                call -> hints(call, upstream, tools),
                                log(upstream, patience),
                                environment),
                        attempts(upstream.name()),
                        new AttemptDeadline(patience::attemptTimeout, environment.timekeeper())),
                upstream);
    }

    private static CallStage attempts(String server) {
        return (call, reply, next) -> {
            call.attempted(server);
            next.handle(call, reply);
        };
    }

    /** A server that stands alone is not named in the log. */
    private static AttemptLog log(Upstream upstream, Patience patience) {
        var logger = upstream.environment().logger();
        return upstream.reconnects()
                ? new ManyServersLog(upstream.name(), patience::attemptTimeout, logger)
                : new SingleServerLog(logger);
    }

    /** The operator's word, then that of a server that is trusted, then that of any other, which may only forbid. */
    private static ToolHints hints(Call call, Upstream upstream, UpstreamList<ToolDefinition> tools) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            return ToolHints.UNDECLARED;
        }
        var name = call.request().text(Part.NAME).orElse("");
        var said = tools.find(call.caller(), name).map(ToolDefinition::hints).orElse(ToolHints.UNDECLARED);
        var settings = upstream.settings();
        return settings.tool(name).hints(settings.trusted() ? said.asTrusted() : said);
    }
}
