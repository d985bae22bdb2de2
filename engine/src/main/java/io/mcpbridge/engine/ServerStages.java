package io.mcpbridge.engine;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.AttemptLogger;
import io.mcpbridge.engine.pipeline.AttemptStage;
import io.mcpbridge.engine.pipeline.FailureLogStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RetryAndTimeoutPolicies;
import io.mcpbridge.engine.pipeline.RetryBudget;
import io.mcpbridge.engine.pipeline.RetryBudgetSettings;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.engine.routing.ToolLookup;
import io.mcpbridge.engine.translation.RequestDigests;
import io.mcpbridge.engine.translation.SuspendedCalls;
import io.mcpbridge.engine.translation.Translation;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import io.mcpbridge.tool.ToolHints;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The stages of one server, in the order of {@link Position}. All calls of the server share the state of the stages,
 * whatever the retry policy of each call. Any thread may use it.
 */
record ServerStages(
        Upstream upstream,
        InFlightCounter calls,
        Map<Place, CallStage> stages,
        RetryBudget budget,
        List<Consumer<String>> changeListeners)
        implements Upstream.Listener {

    private static final String OFF = "none";
    private static final String BUDGET = "retry-budget";

    /** The method name that stages receive when the server has a new connection. */
    private static final String RECONNECTED = "";

    /**
     * Creates the stages that the server's section configures. A server behind a {@link io.mcpbridge.Connection} has
     * only the schema check.
     *
     * @param defaults the keys that the section of each server has unless it sets them itself
     * @throws ConfigurationException with every mistake in the sections, or if two stages claim one place
     */
    static ServerStages of(Upstream upstream, Providers<CallStageProvider> providers, Settings defaults) {
        var section = upstream.settings().settings();
        var parts = upstream.parts();
        var digests = new RequestDigests();
        var changeListeners = new CopyOnWriteArrayList<Consumer<String>>();
        var stages = make(
                providers,
                place -> parts.reconnects() ? !place.isOfDaemon() : place == Place.SCHEMA_CHECK,
                section.withDefaults(defaults),
                StageContext.of(upstream.name(), parts.environment())
                        .withHints(call -> hints(call, upstream))
                        .withDigest(call -> digests.of(call.request()))
                        .withEra(upstream::era)
                        .withProbe(upstream::probe)
                        .withTools(ToolLookup.ofCalls(upstream))
                        .withPublisher(parts.events()::publish)
                        .withChanges(changeListeners::add));
        Optional.ofNullable(stages.get(Place.SCHEMA_CHECK))
                .ifPresent(check -> upstream.lists().tools().checkWith(check::unusable));
        var budget = parts.reconnects() ? budget(section, parts.environment().timekeeper()) : RetryBudget.UNLIMITED;
        return new ServerStages(upstream, new InFlightCounter(() -> {}), stages, budget, changeListeners);
    }

    /**
     * Checks the sections of a server's stages; discards the stages.
     *
     * @throws ConfigurationException with every mistake in them
     */
    static void check(
            Providers<CallStageProvider> providers, String server, Settings section, Environment environment) {
        var mistakes = new MistakeCollector();
        mistakes.check(() -> budget(section, environment.timekeeper()));
        mistakes.check(
                () -> make(providers, place -> !place.isOfDaemon(), section, StageContext.of(server, environment)));
        mistakes.throwIfAny();
    }

    /**
     * Creates the daemon-wide stages, which all servers share.
     *
     * @throws ConfigurationException with every mistake in the sections
     */
    static Map<Place, CallStage> ofDaemon(
            Providers<CallStageProvider> providers, Settings sections, String instance, Environment environment) {
        var digests = new RequestDigests();
        return make(
                providers,
                Place::isOfDaemon,
                sections,
                StageContext.of("", environment).withInstance(instance).withDigest(call -> digests.of(call.request())));
    }

    /** Creates one stage for each of these places that the section configures. */
    private static Map<Place, CallStage> make(
            Providers<CallStageProvider> providers, Predicate<Place> places, Settings section, StageContext context) {
        var stages = new EnumMap<Place, CallStage>(Place.class);
        var names = new EnumMap<Place, String>(Place.class);
        var mistakes = new MistakeCollector();
        var wanted = providers.all().stream().filter(provider -> places.test(provider.place()));
        for (var provider : wanted.toList()) {
            var place = provider.place();
            mistakes.check(() -> make(provider, section, context).ifPresent(stage -> {
                if (stages.putIfAbsent(place, stage) != null) {
                    mistakes.add(twice(names.getOrDefault(place, ""), provider.name(), place));
                }
                names.putIfAbsent(place, provider.name());
            }));
        }
        mistakes.throwIfAny();
        return stages;
    }

    private static Optional<CallStage> make(CallStageProvider provider, Settings section, StageContext context) {
        if (section.says(provider.name(), OFF)) {
            return Optional.empty();
        }
        return provider.create(
                section.has(provider.name()) ? context.withSettings(sectionOf(provider.name(), section)) : context);
    }

    private static RetryBudget budget(Settings section, Timekeeper timekeeper) {
        return section.says(BUDGET, OFF)
                ? RetryBudget.UNLIMITED
                : RetryBudget.of(RetryBudgetSettings.from(sectionOf(BUDGET, section)), timekeeper);
    }

    private static Settings sectionOf(String name, Settings section) {
        var outer = section.only(Set.of(name));
        var inner = outer.section(name);
        outer.finish(() -> inner);
        return inner;
    }

    private static String twice(String one, String other, Place place) {
        return "the stages '%s' and '%s' both want the place %s of a server; set one of them to 'none'"
                .formatted(one, other, place);
    }

    /** Reports a notification of the server to the stages, whose cached state may be outdated. */
    @Override
    public void notified(String method) {
        changeListeners.forEach(listener -> listener.accept(method));
    }

    /** Reports a new connection to the stages, whose cached state may be outdated. */
    @Override
    public void reconnected() {
        notified(RECONNECTED);
    }

    /**
     * Returns the handler that passes calls through the stages to the server.
     *
     * @param suspendedCalls holds the suspended calls of modern clients
     */
    Next handler(RetryAndTimeoutPolicies policy, SuspendedCalls suspendedCalls) {
        var environment = upstream.parts().environment();
        var rules = new RetryStage.Rules(
                policy::policy,
                call -> hints(call, upstream),
                new RecoveryPolicy(upstream.parts().reconnects()),
                budget,
                log(policy));
        var attempt = new AttemptStage(
                upstream.name(),
                upstream.lists()::name,
                policy::attemptTimeout,
                stages.values(),
                environment.timekeeper());
        var log = rules.log();
        var pipeline = new Pipeline()
                .add(Position.FAILURE_LOG, new FailureLogStage((call, why) -> log.stopped(call, why.attempts(), why)))
                .add(Position.SERVER_CALLS, calls)
                .add(Position.TRANSLATION, Translation.of(upstream, suspendedCalls))
                .add(
                        Position.TOOL_EVENTS,
                        new ToolEvents(upstream.name(), upstream.parts().events(), environment.timekeeper()))
                .add(Position.RETRY, new RetryStage(rules, environment))
                .add(
                        Position.LATE_SCHEMA_CHECK,
                        Optional.ofNullable(stages.get(Place.SCHEMA_CHECK)).map(LateSchemaCheck::new))
                .add(Position.ATTEMPT, attempt);
        stages.forEach((place, stage) -> pipeline.add(Position.of(place), stage));
        return pipeline.before(upstream::attempt);
    }

    /** Returns the measurements of the retry budget, the stages, the server, and the tools in quarantine. */
    List<GaugeReading> readings() {
        var readings = new ArrayList<>(budget.readings());
        stages.values().forEach(stage -> readings.addAll(stage.readings()));
        readings.addAll(upstream.readings());
        quarantined().ifPresent(readings::add);
        return readings;
    }

    @Override
    public boolean checksTools() {
        return stages.containsKey(Place.SCHEMA_CHECK);
    }

    @Override
    public Optional<Outage> rejecting() {
        return stages.values().stream()
                .flatMap(stage -> stage.rejecting().stream())
                .findFirst();
    }

    /** Returns the attempt log, which omits the server name for a single {@link io.mcpbridge.Connection}. */
    private AttemptLogger log(RetryAndTimeoutPolicies policy) {
        var logger = upstream.parts().environment().logger();
        var level = upstream.settings().logsCalls() ? Level.INFO : Level.DEBUG;
        return upstream.parts().reconnects()
                ? new AttemptLogger.OfServer(upstream.name(), policy::attemptTimeout, logger, level)
                : new AttemptLogger.OfSingleServer(logger, level);
    }

    private static ToolHints hints(Call call, Upstream upstream) {
        return call.request().method().equals(Methods.TOOLS_CALL)
                ? upstream.lists().hints(call.caller(), toolName(call))
                : ToolHints.UNDECLARED;
    }

    private static String toolName(Call call) {
        return call.request().text(MessageField.NAME).orElse("");
    }

    /** Returns the number and names of the quarantined tools. */
    private Optional<GaugeReading> quarantined() {
        if (!upstream.isStrict()) {
            return Optional.empty();
        }
        var names = upstream.parts().catalog().findings().stream()
                .filter(finding -> finding.isWithheld() && finding.server().equals(upstream.name()))
                .map(ToolFinding::shownTool)
                .distinct()
                .toList();
        return Optional.of(
                new GaugeReading("catalog.quarantined", names.size(), names.isEmpty() ? "" : quarantined(names)));
    }

    private static String quarantined(List<String> names) {
        int mostNames = 10;
        var shown = names.stream().limit(mostNames).collect(joining("', '", "'", "'"));
        var rest = names.size() > mostNames ? " and %d more".formatted(names.size() - mostNames) : "";
        return "not listed and not callable: %s%s; see 'mcp-bridge lock --diff'".formatted(shown, rest);
    }

    /** Checks the attempts of calls that have passed the schema check unchecked. */
    private record LateSchemaCheck(CallStage check) implements CallStage {

        @Override
        public void handle(CallContext call, Next next) {
            if (PipelineCall.of(call).isUnchecked()) {
                check.handle(call, next);
            } else {
                next.handle(call);
            }
        }
    }

    /** Publishes the ends of one server's tool calls; costs nothing without subscribers. */
    private record ToolEvents(String server, EventBus events, Timekeeper timekeeper) implements CallStage {

        @Override
        public void handle(CallContext call, Next next) {
            if (events.hasSubscribers() && call.request().method().equals(Methods.TOOLS_CALL)) {
                var begun = timekeeper.nanoTime();
                call.onComplete(outcome -> events.publish(
                        outcome instanceof Outcome.Answered answered
                                ? completed(call, answered.response(), begun)
                                : failed(call, ((Outcome.Failed) outcome).failure())));
            }
            next.handle(call);
        }

        private BridgeEvent completed(Call call, Response response, long begun) {
            if (response.isError()) {
                return failed(call, JsonRpcErrorMapper.toFailure(response));
            }
            var duration = Duration.ofNanos(timekeeper.nanoTime() - begun);
            var summary = response.raw(MessageField.RESULT).orElse("");
            return new BridgeEvent.ToolCompleted(server, call.correlationId(), toolName(call), summary, duration);
        }

        private BridgeEvent failed(Call call, Failure failure) {
            return new BridgeEvent.ToolFailed(
                    server,
                    call.correlationId(),
                    toolName(call),
                    failure.code().name(),
                    failure.retryable(),
                    failure.message());
        }
    }
}
