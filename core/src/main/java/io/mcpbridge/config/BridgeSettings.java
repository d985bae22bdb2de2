package io.mcpbridge.config;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The {@code bridge} object of the configuration file.
 *
 * @param listeners by the name of their provider, in the order of the file
 * @param names how clients see the names of tools
 * @param plugIns the sections that plug-ins read
 * @param drainTimeout how long calls under way may take to end when the bridge stops; longer than zero
 * @param callTimeout how long a call may take in all, whatever is repeated; longer than zero
 * @param keepAlive how long a client may be silent before it is pinged, and as long again before it counts as lost;
 *     zero to ping nobody
 * @param limits how much of everything there may be
 * @param parking how long calls may wait for what their clients are asked, and how many
 * @param repeats how much is remembered of calls that must run once
 * @param clientTools which tools each user may use
 * @param searchTools who searches for tools instead of being shown all of them
 */
public record BridgeSettings(
        Map<String, Settings> listeners,
        ToolNaming names,
        PlugInSections plugIns,
        Duration drainTimeout,
        Duration callTimeout,
        Duration keepAlive,
        LimitSettings limits,
        ParkingSettings parking,
        RepeatSettings repeats,
        ClientTools clientTools,
        SearchTools searchTools) {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    public BridgeSettings {
        listeners = Collections.unmodifiableMap(new LinkedHashMap<>(listeners));
        new Refusals()
                .unless(drainTimeout.compareTo(Duration.ZERO) > 0, "drain-timeout", drainTimeout, "longer than zero")
                .unless(callTimeout.compareTo(Duration.ZERO) > 0, "call-timeout", callTimeout, "longer than zero")
                .unless(!keepAlive.isNegative(), "keep-alive", keepAlive, "zero or longer")
                .throwIfAny();
    }

    /**
     * What holds where the file says nothing: no listener, names with prefix, 30 s to drain, 60 s a call, 30 s of
     * silence.
     */
    public static BridgeSettings defaults() {
        return from(Settings.of(Map.of()));
    }

    /** Reads the {@code bridge} object; a key that is absent keeps its default. */
    public static BridgeSettings from(Settings settings) {
        var mistakes = new Mistakes();
        var read = read(settings, mistakes);
        mistakes.throwIfAny();
        return read;
    }

    /** The same, where the mistakes are collected; what is wrong has its default, and the rest is as it is written. */
    static BridgeSettings read(Settings settings, Mistakes mistakes) {
        settings.ignore(ServerSections.PRESET);
        var listeners = settings.sections("listen");
        var names = names(settings);
        var catalog = settings.section("catalog");
        var searchTools = SearchTools.from(settings, catalog, mistakes);
        var plugIns = PlugInSections.of(settings, SearchTools.others(catalog));
        var drainTimeout = settings.duration("drain-timeout", "drainTimeoutMs", DRAIN_TIMEOUT);
        var callTimeout = settings.duration("call-timeout", "callTimeoutMs", CALL_TIMEOUT);
        var keepAlive = settings.duration("keep-alive", "keepAliveMs", KEEP_ALIVE);
        var limits = mistakes.collect(() -> LimitSettings.from(settings.section("limits")))
                .orElse(LimitSettings.DEFAULTS);
        var parking = mistakes.collect(() -> ParkingSettings.from(settings.section("parking")))
                .orElse(ParkingSettings.DEFAULTS);
        var repeats = mistakes.collect(() -> RepeatSettings.from(settings.section("repeats")))
                .orElse(RepeatSettings.DEFAULTS);
        var clientTools = ClientTools.from(settings, mistakes);
        var read = mistakes.collect(() -> settings.finish(() -> new BridgeSettings(
                listeners,
                names,
                plugIns,
                drainTimeout,
                callTimeout,
                keepAlive,
                limits,
                parking,
                repeats,
                clientTools,
                searchTools)));
        return read.orElseGet(() -> new BridgeSettings(
                listeners,
                names,
                plugIns,
                DRAIN_TIMEOUT,
                CALL_TIMEOUT,
                KEEP_ALIVE,
                limits,
                parking,
                repeats,
                clientTools,
                searchTools));
    }

    private static ToolNaming names(Settings settings) {
        var names = settings.text("names", "prefix");
        if (!names.equals("prefix") && !names.equals("plain")) {
            settings.reject("names", "'prefix' or 'plain'");
        }
        return names.equals("plain") ? ToolNaming.PLAIN : ToolNaming.PREFIX;
    }

    /**
     * Sections whose first key chooses a plug-in, which reads the others.
     *
     * @param retry chooses by {@code policy}
     * @param audit chooses by {@code sink}, {@code noop} where there is no such section
     * @param catalog chooses by {@code kind}
     * @param sandbox chooses by {@code level}
     * @param telemetry chooses by {@code observer}, {@code none} where there is no such section
     */
    public record PlugInSections(
            Settings retry, Settings audit, Settings catalog, Settings sandbox, Settings telemetry) {

        static PlugInSections of(Settings settings, Settings catalog) {
            return new PlugInSections(
                    settings.section("retry"),
                    settings.has("audit") ? settings.section("audit") : Settings.of(Map.of("sink", "noop")),
                    catalog,
                    settings.section("sandbox"),
                    settings.has("telemetry")
                            ? settings.section("telemetry")
                            : Settings.of(Map.of("observer", "none")));
        }
    }
}
