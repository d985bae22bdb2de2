package io.mcpbridge.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The modules with the arrows that each may have, to other modules and to libraries.
 *
 * <p>Everything else is forbidden, so a new arrow is a new entry in {@link #ofTheBridge()}.
 */
final class Modules {

    /** Every module may use these. */
    private static final Set<String> LIBRARIES_OF_ALL =
            Set.of("java.", "javax.", "org.jspecify.annotations.", "com.google.errorprone.annotations.");

    /** Parts of the JDK that only a module which names them may use. */
    private static final Set<String> LIBRARIES_OF_FEW = Set.of("java.util.logging.");

    private final TreeMap<String, Module> byPackage = new TreeMap<>(Comparator.reverseOrder());

    /**
     * One module and what it may use.
     *
     * @param packages its packages below the root, each with those below it; "" is the root and what no other module has
     * @param modules names of the modules it may use
     * @param friends names of the modules that may use its internal packages
     * @param libraries prefixes of the foreign classes it may use
     */
    record Module(String name, Set<String> packages, Set<String> modules, Set<String> friends, Set<String> libraries) {

        /** A module whose packages have its name: {@code transport-unix} has {@code transport.unix}. */
        static Module of(String name, Set<String> modules, String... libraries) {
            return new Module(name, Set.of(name.replace('-', '.')), modules, Set.of(), Set.of(libraries));
        }

        Module withPackages(String... names) {
            return new Module(name, Set.of(names), modules, friends, libraries);
        }

        Module withFriends(String... names) {
            return new Module(name, packages, modules, Set.of(names), libraries);
        }
    }

    Modules(String root, List<Module> modules) {
        modules.forEach(it ->
                it.packages().forEach(name -> byPackage.put(name.isEmpty() ? root : root + "." + name, it)));
    }

    static Modules ofTheBridge() {
        Set<String> core = Set.of("core");
        Set<String> support = Set.of("core", "support");
        Set<String> engine = Set.of("core", "support", "engine");
        return new Modules(
                "io.mcpbridge",
                List.of(
                        Module.of("core", Set.of(), "com.fasterxml.jackson.core.")
                                .withPackages(
                                        "call",
                                        "discovery",
                                        "era",
                                        "event",
                                        "failure",
                                        "internal",
                                        "message",
                                        "spi",
                                        "tool")
                                .withFriends("engine", "server"),
                        Module.of("support", core, "jdk.net.").withPackages("files", "process", "stream"),
                        Module.of("engine", support).withPackages(""),
                        Module.of("server", engine),
                        Module.of("transport-stdio", support),
                        Module.of("transport-http", support, "io.netty."),
                        Module.of("transport-unix", support, "io.netty."),
                        Module.of("retry", core),
                        // javax.sql.DataSource names the logger.
                        Module.of(
                                "audit",
                                support,
                                "com.fasterxml.jackson.core.",
                                "io.opentelemetry.",
                                "java.util.logging.Logger"),
                        Module.of("catalog", core, "com.networknt.schema.", "com.fasterxml.jackson."),
                        Module.of("sandbox", support),
                        Module.of("workers", Set.of("core", "support", "engine", "server", "sandbox")),
                        Module.of("agents", Set.of("core", "support", "engine", "server"), "org.snakeyaml.engine.")
                                .withPackages("agents", "workflow"),
                        Module.of("telemetry", core, "io.opentelemetry."),
                        Module.of("guice", engine, "com.google.inject."),
                        Module.of("sdk", engine, "io.modelcontextprotocol.", "reactor.core."),
                        Module.of("testkit", core, "org.junit.jupiter.", "org.assertj.", "org.opentest4j."),
                        Module.of("gateway", engine),
                        Module.of(
                                "cli",
                                Set.of("core", "support", "engine", "gateway", "audit", "agents"),
                                "picocli.",
                                "java.util.logging.",
                                "io.opentelemetry.")));
    }

    Stream<String> names() {
        return byPackage.values().stream().map(Module::name).distinct();
    }

    String nameOf(JavaClass ours) {
        return moduleOf(ours.getPackageName())
                .map(Module::name)
                .orElseThrow(() -> new IllegalArgumentException("'" + ours.getName() + "' belongs to no module"));
    }

    boolean isOurs(JavaClass any) {
        return moduleOf(any.getPackageName()).isPresent();
    }

    /** Whether a class of ours may use an internal class of ours. */
    boolean allowsInternal(JavaClass ours, JavaClass used) {
        Module owner = moduleOf(used.getPackageName()).orElseThrow();
        return owner.name().equals(nameOf(ours)) || owner.friends().contains(nameOf(ours));
    }

    /** Whether a class of ours may use another class, ours or not. */
    boolean allows(JavaClass ours, JavaClass used) {
        if (used.isPrimitive()) {
            return true;
        }
        Module module = moduleOf(ours.getPackageName()).orElseThrow();
        return moduleOf(used.getPackageName())
                .map(other -> other.equals(module) || module.modules().contains(other.name()))
                .orElseGet(() -> allowsLibrary(module, used.getName()));
    }

    private static boolean allowsLibrary(Module module, String name) {
        return module.libraries().stream().anyMatch(name::startsWith)
                || (LIBRARIES_OF_FEW.stream().noneMatch(name::startsWith)
                        && LIBRARIES_OF_ALL.stream().anyMatch(name::startsWith));
    }

    private Optional<Module> moduleOf(String packageName) {
        return byPackage.entrySet().stream()
                .filter(it -> packageName.equals(it.getKey()) || packageName.startsWith(it.getKey() + "."))
                .findFirst()
                .map(Map.Entry::getValue);
    }
}
