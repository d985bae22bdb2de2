package io.mcpbridge.discovery;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The providers of one extension point, by name. Immutable; any thread may use it.
 *
 * <p>Found once, on the thread that asks, so that later calls do not depend on anybody's class loader. A provider
 * that cannot be loaded does not hide the others: it is a {@linkplain #problems() problem} to report.
 *
 * @param <P> the provider's type
 */
public final class Providers<P extends Provider> {
    private final Class<P> type;
    private final Map<String, P> byName;
    private final List<String> problems;

    private Providers(Class<P> type, Map<String, P> byName, List<String> problems) {
        this.type = type;
        this.byName = byName;
        this.problems = problems;
    }

    /**
     * Finds what the class path holds: by the loader of {@code type}, and where that finds nothing by the
     * thread's context class loader.
     *
     * @throws ConfigurationException if two providers share a name
     */
    public static <P extends Provider> Providers<P> of(Class<P> type) {
        return of(type, List.of());
    }

    /** The same with providers that the program hands in, which come beside those of the class path. */
    public static <P extends Provider> Providers<P> of(Class<P> type, List<? extends P> handedIn) {
        return named(type, ProviderSearch.of(type).withDefaultLoaders(), handedIn);
    }

    /** Finds what one class loader sees, and nothing else. */
    public static <P extends Provider> Providers<P> of(Class<P> type, ClassLoader loader, List<? extends P> handedIn) {
        return named(type, ProviderSearch.of(type).with(loader), handedIn);
    }

    /** Only what the program hands in. */
    public static <P extends Provider> Providers<P> only(Class<P> type, List<? extends P> handedIn) {
        return named(type, ProviderSearch.of(type), handedIn);
    }

    /**
     * The provider of this name.
     *
     * @throws ConfigurationException if there is none; the message lists the names found
     */
    public P named(String name) {
        var provider = byName.get(name);
        if (provider == null) {
            throw ConfigurationException.of(missing(name));
        }
        return provider;
    }

    /** The names found, in alphabetical order. */
    public Set<String> names() {
        return java.util.Collections.unmodifiableSet(byName.keySet());
    }

    /** The providers, in the order of their names. */
    public List<P> all() {
        return List.copyOf(byName.values());
    }

    /** What was found but cannot be used, each in a sentence that names the provider. */
    public List<String> problems() {
        return problems;
    }

    private String missing(String name) {
        var kind = type.getSimpleName();
        var words = byName.isEmpty()
                ? "there is no %s '%s', nor any other; %s".formatted(kind, name, ProviderSearch.emptyHint(type))
                : "there is no %s '%s'; %sfound are %s"
                        .formatted(
                                kind,
                                name,
                                Nearest.question(name, byName.keySet()),
                                String.join(", ", byName.keySet()));
        return problems.isEmpty() ? words : words + "; could not be used: " + String.join("; ", problems);
    }

    private static <P extends Provider> Providers<P> named(
            Class<P> type, ProviderSearch<P> search, List<? extends P> handedIn) {
        var candidates = new ArrayList<P>(search.found());
        candidates.addAll(handedIn);
        var problems = new ArrayList<>(search.problems());
        var byName = new TreeMap<String, List<P>>();
        for (var candidate : candidates) {
            ProviderSearch.nameOf(candidate, problems)
                    .ifPresent(name -> byName.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(candidate));
        }
        refuseDoubles(type, byName);
        var single = new TreeMap<String, P>();
        byName.forEach((name, providers) -> single.put(name, providers.get(0)));
        return new Providers<>(type, single, List.copyOf(problems));
    }

    private static <P extends Provider> void refuseDoubles(Class<P> type, Map<String, List<P>> byName) {
        var doubles = byName.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> "the %s '%s' exists %d times: %s; remove all but one. Found are %s"
                        .formatted(
                                type.getSimpleName(),
                                entry.getKey(),
                                entry.getValue().size(),
                                entry.getValue().stream()
                                        .map(ProviderSearch::origin)
                                        .collect(Collectors.joining(" and ")),
                                String.join(", ", byName.keySet())))
                .toList();
        if (!doubles.isEmpty()) {
            throw ConfigurationException.ofAll(doubles);
        }
    }
}
