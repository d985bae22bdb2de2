package io.mcpbridge.config;

import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The {@code bridge} object of the configuration file.
 *
 * @param listeners by the name of their provider, in the order of the file
 * @param names how clients see the names of tools
 * @param plugIns the sections that plug-ins read
 * @param drainTimeout time for calls to end when the bridge stops; longer than zero
 * @param callTimeout time for a whole call, retries included; longer than zero
 * @param keepAlive silence of a client before a ping, and again before the client counts as lost; zero for no pings
 * @param limits bounds of calls, connections and messages
 * @param suspendedCalls bounds of calls that wait for answers of their clients
 * @param visibility which tools each user may use, and who searches for them
 */
public record BridgeSettings(
        Map<String, Settings> listeners,
        ToolNaming names,
        PlugInSections plugIns,
        Duration drainTimeout,
        Duration callTimeout,
        Duration keepAlive,
        LimitSettings limits,
        SuspendedCallSettings suspendedCalls,
        UserAccess visibility) {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    public BridgeSettings {
        listeners = Collections.unmodifiableMap(new LinkedHashMap<>(listeners));
        new MistakeCollector()
                .unless(drainTimeout.compareTo(Duration.ZERO) > 0, "drain-timeout", drainTimeout, "longer than zero")
                .unless(callTimeout.compareTo(Duration.ZERO) > 0, "call-timeout", callTimeout, "longer than zero")
                .unless(!keepAlive.isNegative(), "keep-alive", keepAlive, "zero or longer")
                .throwIfAny();
    }

    /**
     * Reads the {@code bridge} object. A key that is absent keeps its default: no listener, names with prefix, a drain
     * time-out of 30 s, a call time-out of 60 s, and a ping after 30 s of silence.
     */
    public static BridgeSettings from(Settings settings) {
        var mistakes = new MistakeCollector();
        var read = read(settings, mistakes);
        mistakes.throwIfAny();
        return read;
    }

    /** Reads the object and collects the mistakes; a wrong value has its default. */
    static BridgeSettings read(Settings settings, MistakeCollector mistakes) {
        settings.ignore(ServerSections.PRESET);
        var listeners = settings.sections("listen");
        var names = settings.choice("names", ToolNaming.values(), ToolNaming::word, "'prefix' or 'plain'")
                .orElse(ToolNaming.PREFIX);
        var catalog = settings.section("catalog");
        var visibility = UserAccess.from(settings, catalog, mistakes);
        var plugIns = PlugInSections.of(settings, UserAccess.withoutSearch(catalog));
        var drainTimeout = settings.duration("drain-timeout", "drainTimeoutMs", DRAIN_TIMEOUT);
        var callTimeout = settings.duration("call-timeout", "callTimeoutMs", CALL_TIMEOUT);
        var keepAlive = settings.duration("keep-alive", "keepAliveMs", KEEP_ALIVE);
        var limits = mistakes.collect(() -> LimitSettings.from(settings.section("limits")))
                .orElse(LimitSettings.DEFAULTS);
        var suspendedCalls = mistakes.collect(() -> SuspendedCallSettings.from(settings.section("suspended-calls")))
                .orElse(SuspendedCallSettings.DEFAULTS);
        var usual = new BridgeSettings(
                listeners, names, plugIns, DRAIN_TIMEOUT, CALL_TIMEOUT, KEEP_ALIVE, limits, suspendedCalls, visibility);
        return mistakes.collect(() -> settings.finish(() -> usual.with(drainTimeout, callTimeout, keepAlive)))
                .orElse(usual);
    }

    /** The time for a whole call to one of these servers: at least the longest time-out of a server or tool. */
    public Duration callTimeout(Collection<ServerSettings> servers) {
        return servers.stream()
                .flatMap(server -> Stream.concat(
                        Stream.of(server.timeout()),
                        server.tools().values().stream().map(ToolSettings::timeout)))
                .reduce(callTimeout, (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    /** A copy without the section {@code catalog}, which admits every tool. */
    public BridgeSettings withoutCatalog() {
        return new BridgeSettings(
                listeners,
                names,
                plugIns.withoutCatalog(),
                drainTimeout,
                callTimeout,
                keepAlive,
                limits,
                suspendedCalls,
                visibility);
    }

    private BridgeSettings with(Duration drain, Duration call, Duration ping) {
        return new BridgeSettings(listeners, names, plugIns, drain, call, ping, limits, suspendedCalls, visibility);
    }

    /**
     * The sections that configure plug-ins: one key selects the plug-in, which reads the other keys.
     *
     * @param retry chooses by {@code policy}
     * @param audit chooses by {@code sink}; {@code noop} if the section is missing
     * @param catalog chooses by {@code kind}
     * @param sandbox chooses by {@code level}
     * @param telemetry chooses by {@code observer}; {@code none} if the section is missing
     * @param stages the sections of the daemon-wide stages, by their names
     */
    public record PlugInSections(
            Settings retry, Settings audit, Settings catalog, Settings sandbox, Settings telemetry, Settings stages) {

        static PlugInSections of(Settings settings, Settings catalog) {
            return new PlugInSections(
                    settings.section("retry"),
                    settings.has("audit") ? settings.section("audit") : Settings.of(Map.of("sink", "noop")),
                    catalog,
                    settings.section("sandbox"),
                    settings.has("telemetry") ? settings.section("telemetry") : Settings.of(Map.of("observer", "none")),
                    settings.only(Set.of("repeats")));
        }

        private PlugInSections withoutCatalog() {
            return new PlugInSections(retry, audit, Settings.of(Map.of()), sandbox, telemetry, stages);
        }
    }

    /**
     * The {@code limits} section; the bridge rejects what exceeds a limit. Each is at least 1.
     *
     * @param inFlight calls under way per principal
     * @param connections connections per principal
     * @param subscriptions streams of {@code subscriptions/listen} per principal
     * @param subscribedResources subscribed resources of one session of a client, or one such stream
     * @param queue calls that wait per server
     * @param questionsPerClient requests of one session of a server that wait for one client
     * @param questions requests of one session of a server that wait for all of its clients
     * @param clientFrame bytes of one message of a client
     * @param serverFrame bytes of one message of a server
     */
    public record LimitSettings(
            int inFlight,
            int connections,
            int subscriptions,
            int subscribedResources,
            int queue,
            int questionsPerClient,
            int questions,
            int clientFrame,
            int serverFrame) {

        public static final LimitSettings DEFAULTS = new LimitSettings(
                1_024, 8_192, 256, 1_024, 1_024, 64, 1_024, Limits.CLIENT.maxBytes(), Limits.SERVER.maxBytes());

        private static final String RULE = "at least 1";

        public LimitSettings {
            new MistakeCollector()
                    .unless(inFlight >= 1, "in-flight", inFlight, RULE)
                    .unless(connections >= 1, "connections", connections, RULE)
                    .unless(subscriptions >= 1, "subscriptions", subscriptions, RULE)
                    .unless(subscribedResources >= 1, "subscribed-resources", subscribedResources, RULE)
                    .unless(queue >= 1, "queue", queue, RULE)
                    .unless(questionsPerClient >= 1, "questions-per-client", questionsPerClient, RULE)
                    .unless(questions >= 1, "questions", questions, RULE)
                    .unless(clientFrame >= 1, "client-frame", clientFrame, RULE)
                    .unless(serverFrame >= 1, "server-frame", serverFrame, RULE)
                    .throwIfAny();
        }

        /** Reads the {@code limits} section; a key that is absent keeps its default. */
        public static LimitSettings from(Settings settings) {
            var inFlight = settings.integer("in-flight", DEFAULTS.inFlight);
            var connections = settings.integer("connections", DEFAULTS.connections);
            var subscriptions = settings.integer("subscriptions", DEFAULTS.subscriptions);
            var subscribedResources = settings.integer("subscribed-resources", DEFAULTS.subscribedResources);
            var queue = settings.integer("queue", DEFAULTS.queue);
            var perClient = settings.integer("questions-per-client", DEFAULTS.questionsPerClient);
            var questions = settings.integer("questions", DEFAULTS.questions);
            var clientFrame = settings.bytes("client-frame", DEFAULTS.clientFrame);
            var serverFrame = settings.bytes("server-frame", DEFAULTS.serverFrame);
            return settings.finish(() -> new LimitSettings(
                    inFlight,
                    connections,
                    subscriptions,
                    subscribedResources,
                    queue,
                    perClient,
                    questions,
                    clientFrame,
                    serverFrame));
        }

        /** Applies these limits to {@code usual}; the result shares the byte budget of {@code usual}. */
        public BridgeLimits apply(BridgeLimits usual) {
            return new BridgeLimits(
                    usual.fromClients().withMaxBytes(clientFrame),
                    usual.fromServers().withMaxBytes(serverFrame),
                    queue,
                    questionsPerClient,
                    questions,
                    subscribedResources,
                    usual.outbound());
        }
    }

    /**
     * The {@code suspended-calls} section: how many calls may be suspended, and how long.
     *
     * @param maxCalls in all; at least 1
     * @param maxCallsPerPrincipal at least 1
     * @param expiry limit of one suspension; longer than zero
     */
    public record SuspendedCallSettings(int maxCalls, int maxCallsPerPrincipal, Duration expiry) {

        public static final SuspendedCallSettings DEFAULTS =
                new SuspendedCallSettings(1_024, 64, Duration.ofMinutes(10));

        public SuspendedCallSettings {
            new MistakeCollector()
                    .unless(maxCalls >= 1, "max-calls", maxCalls, "at least 1")
                    .unless(maxCallsPerPrincipal >= 1, "max-calls-per-principal", maxCallsPerPrincipal, "at least 1")
                    .unless(!expiry.isNegative() && !expiry.isZero(), "expiry", expiry, "longer than zero")
                    .throwIfAny();
        }

        /** Reads the {@code suspended-calls} section; a key that is absent keeps its default. */
        public static SuspendedCallSettings from(Settings settings) {
            var maxCalls = settings.integer("max-calls", DEFAULTS.maxCalls);
            var perPrincipal = settings.integer("max-calls-per-principal", DEFAULTS.maxCallsPerPrincipal);
            var expiry = settings.duration("expiry", DEFAULTS.expiry);
            return settings.finish(() -> new SuspendedCallSettings(maxCalls, perPrincipal, expiry));
        }
    }
}
