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
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.time.Duration;
import java.util.List;

/** The one place that shows in which order the stages of one server stand. */
public final class ServerStages {

    private ServerStages() {}

    /**
     * The server behind its stages: events, then attempts, and within each attempt whoever watches it and its deadline.
     *
     * @param policy decides on repeating
     * @param attemptTimeout how long each attempt may take
     */
    public static Handler of(
            Upstream upstream, UpstreamList<ToolDefinition> tools, RetryPolicy policy, Duration attemptTimeout) {
        Environment environment = upstream.environment();
        return Pipeline.of(
                List.of(
                        new ToolEvents(upstream.name(), upstream.events(), environment.timekeeper()),
                        new RetryStage(policy, call -> hints(call, upstream, tools), log(upstream), environment),
                        attempts(upstream.name()),
                        new AttemptDeadline(attemptTimeout, environment.timekeeper())),
                upstream);
    }

    private static CallStage attempts(String server) {
        return (call, reply, next) -> {
            call.attempted(server);
            next.handle(call, reply);
        };
    }

    /** A server that stands alone is not named in the log. */
    private static AttemptLog log(Upstream upstream) {
        var logger = upstream.environment().logger();
        return upstream.reconnects() ? new ManyServersLog(upstream.name(), logger) : new SingleServerLog(logger);
    }

    private static ToolHints hints(Call call, Upstream upstream, UpstreamList<ToolDefinition> tools) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            return ToolHints.UNDECLARED;
        }
        var said = call.request()
                .text(Part.NAME)
                .flatMap(name -> tools.find(call.caller(), name))
                .map(ToolDefinition::hints)
                .orElse(ToolHints.UNDECLARED);
        return upstream.settings().trusted() ? said.asTrusted() : said;
    }
}
