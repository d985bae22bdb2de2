package io.mcpbridge.discovery;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Provider;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The providers of one extension point, by name. Immutable; any thread may use it.
 *
 * <p>The search runs once, on the thread of the caller, so later calls do not depend on the context class loader of a
 * thread. A provider that cannot be loaded does not hide the others; {@link #problems()} reports it.
 *
 * @param <P> the provider's type
 */
public final class Providers<P extends Provider> {
    /** The names in our artifacts, https as the scheme of one. */
    private static final Map<String, List<String>> ARTIFACTS = Map.of(
            "transport-http", List.of("http", "https", "sse"),
            "transport-stdio", List.of("stdio"),
            "transport-unix", List.of("unix"),
            "retry", List.of("exponential", "safe"),
            "audit", List.of("file", "jdbc", "otel"),
            "catalog", List.of("json-schema", "pinned"),
            "telemetry", List.of("opentelemetry"));

    private final Class<P> type;
    private final Map<String, P> byName;
    private final List<String> problems;

    private Providers(Class<P> type, Map<String, P> byName, List<String> problems) {
        this.type = type;
        this.byName = byName;
        this.problems = problems;
    }

    /**
     * Finds the providers on the class path, with the class loader of {@code type}. If that finds none, it uses the
     * context class loader of the thread.
     *
     * @throws ConfigurationException if two providers share a name
     */
    public static <P extends Provider> Providers<P> of(Class<P> type) {
        return of(type, List.of());
    }

    /** Finds the providers on the class path, and adds those that the program passes in. */
    public static <P extends Provider> Providers<P> of(Class<P> type, List<? extends P> handedIn) {
        return named(type, new Search<>(type).withDefaultLoaders(), handedIn);
    }

    /** Finds the providers of one class loader only, and adds those that the program passes in. */
    public static <P extends Provider> Providers<P> of(Class<P> type, ClassLoader loader, List<? extends P> handedIn) {
        return named(type, new Search<>(type).with(loader), handedIn);
    }

    /** Uses only the providers that the program passes in. */
    public static <P extends Provider> Providers<P> only(Class<P> type, List<? extends P> handedIn) {
        return named(type, new Search<>(type), handedIn);
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

    /** The providers that were found but cannot be used, each in a sentence that names it. */
    public List<String> problems() {
        return problems;
    }

    /** What there is in place of a name that was not found, and how to add that one: the rest of a message. */
    public String others(String name) {
        var nearest = Nearest.to(name, byName.keySet());
        var meant = nearest.or(() -> Nearest.to(
                name, ARTIFACTS.values().stream().flatMap(List::stream).toList()));
        var found = meant.filter(word -> !word.equals(name))
                        .map("did you mean '%s'? "::formatted)
                        .orElse("")
                + (byName.isEmpty() ? "none was found" : "found are " + String.join(", ", byName.keySet()));
        var artifact = ARTIFACTS.entrySet().stream()
                .filter(entry -> nearest.isEmpty() && entry.getValue().contains(meant.orElse(name)))
                .map(entry -> " io.mcpbridge:mcp-bridge-" + entry.getKey())
                .findFirst();
        var advice = artifact.isEmpty() && !byName.isEmpty()
                ? "another needs the jar of a plug-in"
                : "add the artifact%s to the class path, and where jars are merged join their files META-INF/services/%s (Maven: ServicesResourceTransformer, Gradle Shadow: mergeServiceFiles)"
                        .formatted(artifact.orElse(" that has it"), type.getName());
        var words = found + "; " + advice;
        return problems.isEmpty() ? words : words + "; could not be used: " + String.join("; ", problems);
    }

    private String missing(String name) {
        var kind = type.getSimpleName()
                .replace("Provider", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
        return "there is no %s '%s'; %s".formatted(kind, name, others(name));
    }

    private static <P extends Provider> Providers<P> named(
            Class<P> type, Search<P> search, List<? extends P> handedIn) {
        search.found.addAll(handedIn);
        var byName = new TreeMap<String, List<P>>();
        for (var candidate : search.found) {
            search.nameOf(candidate)
                    .ifPresent(name -> byName.computeIfAbsent(name, any -> new ArrayList<>())
                            .add(candidate));
        }
        refuseDoubles(type, byName);
        var single = new TreeMap<String, P>();
        byName.forEach((name, providers) -> single.put(name, providers.get(0)));
        return new Providers<>(type, single, List.copyOf(search.problems));
    }

    private static <P extends Provider> void refuseDoubles(Class<P> type, Map<String, List<P>> byName) {
        var doubles = byName.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> "the %s '%s' exists %d times: %s; remove all but one. Found are %s"
                        .formatted(
                                type.getSimpleName(),
                                entry.getKey(),
                                entry.getValue().size(),
                                entry.getValue().stream().map(Search::origin).collect(Collectors.joining(" and ")),
                                String.join(", ", byName.keySet())))
                .toList();
        if (!doubles.isEmpty()) {
            throw ConfigurationException.ofAll(doubles);
        }
    }

    /**
     * Loads the providers of one type, and isolates those that fail to load. For one thread.
     *
     * @param <P> the provider's type
     */
    private static final class Search<P extends Provider> {
        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

        /** The beginning of an error of {@link ServiceLoader}. */
        private static final Pattern LISTED = Pattern.compile("^(\\S+): Provider (\\S+) ");

        /** A services file of a thousand broken lines is a broken file; the search must end. */
        private static final int MOST_PROBLEMS = 100;

        private final Class<P> type;
        private final List<P> found = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        private Search(Class<P> type) {
            this.type = type;
        }

        /** Uses the loader of the type first, and the context loader only if that finds nothing. */
        Search<P> withDefaultLoaders() {
            with(type.getClassLoader());
            var context = Thread.currentThread().getContextClassLoader();
            if (found.isEmpty() && context != null && context != type.getClassLoader()) {
                with(context);
            }
            return this;
        }

        Search<P> with(@Nullable ClassLoader loader) {
            var candidates = ServiceLoader.load(type, loader).stream().iterator();
            while (problems.size() < MOST_PROBLEMS && hasNext(candidates)) {
                take(candidates);
            }
            return this;
        }

        /** The name of a provider; empty, with a problem added, if core cannot use the provider. */
        Optional<String> nameOf(Provider provider) {
            try {
                var id = provider.id();
                if (id.spiVersion() != Provider.SPI_VERSION) {
                    problems.add(
                            "%s was built for version %d of the extension points, but this is version %d; use a build for it"
                                    .formatted(origin(provider), id.spiVersion(), Provider.SPI_VERSION));
                    return Optional.empty();
                }
                return checked(provider, id.name());
            } catch (RuntimeException | LinkageError broken) {
                problems.add("%s cannot tell its name: %s".formatted(origin(provider), broken));
                return Optional.empty();
            }
        }

        /** The class and the jar or folder that it came from. */
        static String origin(Provider provider) {
            var place = Optional.ofNullable(
                            provider.getClass().getProtectionDomain().getCodeSource())
                    .map(CodeSource::getLocation);
            var name = provider.getClass().getName();
            return place.map(where -> name + " in " + where).orElse(name);
        }

        private Optional<String> checked(Provider provider, @Nullable String name) {
            if (name == null || !NAME.matcher(name).matches()) {
                problems.add("%s has the name '%s', which must be lower-case letters, digits and dashes"
                        .formatted(origin(provider), name));
                return Optional.empty();
            }
            return Optional.of(name);
        }

        private boolean hasNext(Iterator<ServiceLoader.Provider<P>> candidates) {
            while (problems.size() < MOST_PROBLEMS) {
                try {
                    return candidates.hasNext();
                } catch (ServiceConfigurationError | LinkageError broken) {
                    problems.add(words(broken));
                }
            }
            return false;
        }

        private void take(Iterator<ServiceLoader.Provider<P>> candidates) {
            try {
                found.add(candidates.next().get());
            } catch (ServiceConfigurationError | LinkageError broken) {
                problems.add(words(broken));
            }
        }

        private static String words(Throwable broken) {
            var message = LISTED.matcher(String.valueOf(broken.getMessage()))
                    .replaceFirst("META-INF/services/$1 lists '$2': ");
            var cause = broken.getCause();
            return message + (cause == null ? "" : ": " + cause) + "; replace the jar or remove it";
        }
    }
}
