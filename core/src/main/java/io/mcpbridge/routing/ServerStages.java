package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.pipeline.AttemptDeadline;
import io.mcpbridge.pipeline.AttemptLog;
import io.mcpbridge.pipeline.ManyServersLog;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.pipeline.RetryBudget;
import io.mcpbridge.pipeline.RetryStage;
import io.mcpbridge.pipeline.SingleServerLog;
import io.mcpbridge.pipeline.WatchedAttempts;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamLists;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stages of one server, and the one place that shows in which order they stand. What they have counted and kept is
 * shared by all calls of the server, by whatever policy each is repeated. Any thread.
 */
public final class ServerStages {
    private final Upstream upstream;
    private final UpstreamLists lists;
    private final Map<Place, CallStage> stages;
    private final RetryBudget budget;

    private ServerStages(Upstream upstream, UpstreamLists lists, Map<Place, CallStage> stages, RetryBudget budget) {
        this.upstream = upstream;
        this.lists = lists;
        this.stages = stages;
        this.budget = budget;
    }

    /**
     * Those that the server's section asks for; before a connection that stands alone none but what looks at arguments
     * and results.
     *
     * @param usual what stands in the section of every server that does not say otherwise
     */
    static ServerStages of(
            Upstream upstream, UpstreamLists lists, Plugins plugins, StageChanges changes, Settings usual) {
        var section = upstream.settings().settings();
        var digests = new RequestDigests();
        var stages = StageChoice.make(
                upstream.reconnects() ? plugins.stages() : StageChoice.only(plugins.stages(), Place.SCHEMA_CHECK),
                section.withDefaults(usual),
                () -> StageContext.of(upstream.name(), upstream.environment())
                        .hints(call -> hints(call, upstream, lists))
                        .digest(call -> digests.of(call.request()))
                        .era(upstream::era)
                        .probe(upstream::probe)
                        .tools(new ToolOfCall(upstream, lists.tools()))
                        .publisher(upstream.events()::publish)
                        .changes(changes::listen));
        Optional.ofNullable(stages.get(Place.SCHEMA_CHECK)).ifPresent(check -> lists.leaveOut(check::unusable));
        if (!upstream.reconnects()) {
            return new ServerStages(upstream, lists, stages, RetryBudget.UNLIMITED);
        }
        upstream.onStatus(() -> heldOff(stages.values()));
        return new ServerStages(
                upstream,
                lists,
                stages,
                StageChoice.budget(section, upstream.environment().timekeeper()));
    }

    /**
     * The server behind its stages: events, schema check, cache, coalescing, rate limit, then attempts, and within each attempt the
     * breaker, the limit of attempts under way, whoever watches it, and its deadline.
     *
     * @param patience how often is tried, and how long each time
     */
    Handler handler(Patience patience) {
        var environment = upstream.environment();
        var order = new ArrayList<CallStage>();
        order.add(new ToolEvents(upstream.name(), upstream.events(), environment.timekeeper()));
        order.addAll(StageChoice.of(stages, false));
        order.add(new RetryStage(patience::policy, call -> hints(call, upstream, lists), log(patience), environment)
                .withBudget(budget));
        order.addAll(StageChoice.of(stages, true));
        order.add(new WatchedAttempts(upstream.name(), lists::name));
        if (!stages.isEmpty()) {
            order.add(new AttemptEnds(stages.values(), environment.timekeeper()));
        }
        order.add(new AttemptDeadline(patience::attemptTimeout));
        return Pipeline.of(order, upstream);
    }

    /** What the budget for retries and the stages show of themselves, and the server of what is kept there for clients. */
    public List<Reading> readings() {
        var readings = new ArrayList<>(budget.readings());
        stages.values().forEach(stage -> readings.addAll(stage.readings()));
        readings.addAll(upstream.readings());
        readings.addAll(Quarantine.readings(upstream.listSource().catalog(), upstream.name()));
        return readings;
    }

    /** What is said of a tool, the more trusted word first. */
    ToolHints hints(Caller caller, String tool) {
        return hints(caller, tool, upstream, lists);
    }

    private static Optional<HeldOff> heldOff(Collection<CallStage> stages) {
        return stages.stream().flatMap(stage -> stage.heldOff().stream()).findFirst();
    }

    /** A server that stands alone is not named in the log. */
    private AttemptLog log(Patience patience) {
        var logger = upstream.environment().logger();
        return upstream.reconnects()
                ? new ManyServersLog(upstream.name(), patience::attemptTimeout, logger)
                : new SingleServerLog(logger);
    }

    private static ToolHints hints(Call call, Upstream upstream, UpstreamLists lists) {
        var name = call.request().method().equals(Methods.TOOLS_CALL)
                ? call.request().text(Part.NAME).orElse("")
                : "";
        return name.isEmpty() ? ToolHints.UNDECLARED : hints(call.caller(), name, upstream, lists);
    }

    /** The operator's word goes before the server's, which counts for more where the server is trusted. */
    private static ToolHints hints(Caller caller, String name, Upstream upstream, UpstreamLists lists) {
        var said = lists.tools().find(caller, name).map(ToolDefinition::hints).orElse(ToolHints.UNDECLARED);
        var settings = upstream.settings();
        var weighed = settings.trusted() ? said.asTrusted() : said;
        return settings.tool(name).hints(weighed);
    }
}
