package io.mcpbridge.cli;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the class path has for each extension point.
 *
 * @param lines the table of providers
 * @param problems providers that cannot be used, and jars of plug-ins without providers
 */
record PluginReport(List<String> lines, List<String> problems) {
    /** The jars that the launcher script has added, separated as in a class path. */
    private static final String JARS = "mcp-bridge.plugins";

    private static final List<Class<? extends Provider>> TYPES = List.of(
            TransportProvider.class,
            ListenerProvider.class,
            RetryPolicyProvider.class,
            CallStageProvider.class,
            AuditSinkProvider.class,
            ToolCatalogProvider.class,
            SchemaCheckProvider.class,
            CallObserverProvider.class,
            ProcessLauncherProvider.class);

    static PluginReport ofClassPath() {
        var table = new Table("EXTENSION POINT", "NAME", "FROM");
        var problems = new ArrayList<String>();
        Set<Path> unused = new LinkedHashSet<>(jars());
        for (var type : TYPES) {
            try {
                var found = Providers.of(type);
                problems.addAll(found.problems());
                for (var provider : found.all()) {
                    var from = origin(provider);
                    from.ifPresent(unused::remove);
                    var word = type.getSimpleName().replace("Provider", "");
                    table.row(word, provider.name(), from.map(Path::toString).orElse(""));
                }
            } catch (ConfigurationException doubled) {
                problems.addAll(doubled.problems());
            }
        }
        jars().forEach(jar -> explain(jar, unused.contains(jar), problems));
        return new PluginReport(
                table.lines(), problems.stream().map(VisibleText::of).toList());
    }

    /** Names the jar in the problems of its providers; adds one for a jar without providers, or that is no jar. */
    private static void explain(Path jar, boolean isUnused, List<String> problems) {
        try (var file = new JarFile(jar.toFile())) {
            var listed = listed(file);
            Predicate<String> isOfJar = problem -> listed.stream().anyMatch(problem::contains);
            if (isUnused && problems.stream().noneMatch(isOfJar)) {
                problems.add(
                        "'%s' has no usable provider; a plug-in lists each in META-INF/services/<the name of its interface>, a library needs none"
                                .formatted(jar));
            }
            problems.replaceAll(problem -> isOfJar.test(problem) && !problem.contains(jar.toString())
                    ? "in '%s', %s".formatted(jar, problem)
                    : problem);
        } catch (IOException | SecurityException unreadable) {
            problems.add(
                    "'%s' is not a readable jar: %s; replace it or remove it".formatted(jar, ErrorText.of(unreadable)));
        }
    }

    /** The classes that the services files of a jar list. */
    private static List<String> listed(JarFile jar) throws IOException {
        var classes = new ArrayList<String>();
        for (var type : TYPES) {
            var services = jar.getEntry("META-INF/services/" + type.getName());
            if (services != null) {
                new String(jar.getInputStream(services).readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .forEach(classes::add);
            }
        }
        return classes;
    }

    private static List<Path> jars() {
        return Stream.of(System.getProperty(JARS, "").split(File.pathSeparator))
                .filter(jar -> !jar.isEmpty())
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .collect(Collectors.toList());
    }

    private static Optional<Path> origin(Provider provider) {
        return Optional.ofNullable(provider.getClass().getProtectionDomain().getCodeSource())
                .map(CodeSource::getLocation)
                .map(location -> {
                    try {
                        return Path.of(location.toURI());
                    } catch (URISyntaxException unusual) {
                        return Path.of(location.getPath());
                    }
                });
    }
}
