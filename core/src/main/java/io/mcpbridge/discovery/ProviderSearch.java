package io.mcpbridge.discovery;

import io.mcpbridge.spi.Provider;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks for providers of one type and isolates those that break. For one thread.
 *
 * @param <P> the provider's type
 */
final class ProviderSearch<P extends Provider> {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    /** A services file of a thousand broken lines is a broken file; the search must end. */
    private static final int MOST_PROBLEMS = 100;

    private final Class<P> type;
    private final List<P> found = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private ProviderSearch(Class<P> type) {
        this.type = type;
    }

    static <P extends Provider> ProviderSearch<P> of(Class<P> type) {
        return new ProviderSearch<>(type);
    }

    /** The loader of the type first; the context loader only where that finds nothing. */
    ProviderSearch<P> withDefaultLoaders() {
        with(type.getClassLoader());
        var context = Thread.currentThread().getContextClassLoader();
        if (found.isEmpty() && context != null && context != type.getClassLoader()) {
            with(context);
        }
        return this;
    }

    ProviderSearch<P> with(@Nullable ClassLoader loader) {
        var candidates = ServiceLoader.load(type, loader).stream().iterator();
        while (problems.size() < MOST_PROBLEMS && hasNext(candidates)) {
            take(candidates);
        }
        return this;
    }

    List<P> found() {
        return found;
    }

    List<String> problems() {
        return problems;
    }

    /** The name of a provider that core can work with; else a problem is noted. */
    static Optional<String> nameOf(Provider provider, List<String> problems) {
        try {
            var version = provider.spiVersion();
            if (version != Provider.SPI_VERSION) {
                problems.add(
                        "%s was built for version %d of the extension points, but this is version %d; use a build for it"
                                .formatted(origin(provider), version, Provider.SPI_VERSION));
                return Optional.empty();
            }
            return checked(provider, provider.name(), problems);
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

    static String emptyHint(Class<?> type) {
        return "no META-INF/services/%s was found: add the artifact that has the provider to the class path, and where jars are merged let the files of that name be joined (Maven: ServicesResourceTransformer, Gradle Shadow: mergeServiceFiles)"
                .formatted(type.getName());
    }

    private static Optional<String> checked(Provider provider, @Nullable String name, List<String> problems) {
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
        var cause = broken.getCause();
        return cause == null ? String.valueOf(broken.getMessage()) : broken.getMessage() + ": " + cause;
    }
}
