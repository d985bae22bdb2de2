package io.mcpbridge.routing;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.pipeline.RetryBudget;
import io.mcpbridge.pipeline.RetryBudgetSettings;
import io.mcpbridge.pipeline.SavedRetryBudget;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Makes the stages that the section of a server asks for. */
final class StageChoice {
    private static final String OFF = "none";
    private static final String BUDGET = "retry-budget";

    private StageChoice() {}

    /**
     * One stage for each place where the section wants one.
     *
     * @param contexts begins what a stage may know
     * @throws ConfigurationException with every mistake in the sections, or if two stages want one place
     */
    static Map<Place, CallStage> make(
            Providers<CallStageProvider> providers, Settings section, Supplier<StageContext.Builder> contexts) {
        var stages = new EnumMap<Place, CallStage>(Place.class);
        var names = new EnumMap<Place, String>(Place.class);
        var problems = new ArrayList<String>();
        for (var provider : providers.all()) {
            var place = provider.place();
            try {
                make(provider, section, contexts.get()).ifPresent(stage -> {
                    if (stages.putIfAbsent(place, stage) != null) {
                        problems.add(twice(names.getOrDefault(place, ""), provider.name(), place));
                    }
                    names.putIfAbsent(place, provider.name());
                });
            } catch (ConfigurationException wrong) {
                problems.addAll(wrong.problems());
            }
        }
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
        return stages;
    }

    /** Those of one place. */
    static Providers<CallStageProvider> only(Providers<CallStageProvider> providers, Place place) {
        return Providers.only(
                CallStageProvider.class,
                providers.all().stream()
                        .filter(provider -> provider.place() == place)
                        .toList());
    }

    /** The budget for the retries of a server. */
    static RetryBudget budget(Settings section, Timekeeper timekeeper) {
        return section.says(BUDGET, OFF)
                ? RetryBudget.UNLIMITED
                : new SavedRetryBudget(RetryBudgetSettings.from(sectionOf(BUDGET, section)), timekeeper);
    }

    /** Tells the mistakes in the sections of a server's stages, and makes none that is used. */
    static void check(
            Providers<CallStageProvider> providers, String server, Settings section, Environment environment) {
        var problems = new ArrayList<String>();
        collect(problems, () -> budget(section, environment.timekeeper()));
        collect(problems, () -> make(providers, section, () -> StageContext.of(server, environment)));
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
    }

    private static void collect(List<String> problems, Runnable reading) {
        try {
            reading.run();
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
        }
    }

    private static Optional<CallStage> make(
            CallStageProvider provider, Settings section, StageContext.Builder context) {
        if (section.says(provider.name(), OFF)) {
            return Optional.empty();
        }
        if (section.has(provider.name())) {
            context.settings(sectionOf(provider.name(), section));
        }
        return provider.create(context.build());
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

    /** The stages of some places, in their order. */
    static List<CallStage> of(Map<Place, CallStage> stages, boolean withinAttempts) {
        return stages.entrySet().stream()
                .filter(each -> each.getKey().isWithinAttempts() == withinAttempts)
                .map(Map.Entry::getValue)
                .toList();
    }
}
