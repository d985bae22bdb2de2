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

    private final String root;
    private final TreeMap<String, Module> byPackage = new TreeMap<>(Comparator.reverseOrder());

    /**
     * One module and what it may use.
     *
     * @param name also its packages: {@code transport-unix} has {@code <root>.transport.unix}
     * @param modules names of the modules it may use
     * @param libraries prefixes of the foreign classes it may use
     */
    record Module(String name, Set<String> modules, Set<String> libraries) {

        static Module of(String name, Set<String> modules, String... libraries) {
            return new Module(name, modules, Set.of(libraries));
        }
    }

    Modules(String root, List<Module> modules) {
        this.root = root;
        modules.forEach(it -> byPackage.put(packageOf(it.name()), it));
    }

    static Modules ofTheBridge() {
        Set<String> core = Set.of("core");
        return new Modules(
                "io.mcpbridge",
                List.of(
                        Module.of("core", Set.of(), "com.fasterxml.jackson."),
                        Module.of("transport-stdio", core),
                        Module.of("transport-http", core, "io.netty."),
                        Module.of("transport-unix", core, "io.netty.", "jdk.net."),
                        Module.of("retry", core),
                        Module.of("audit", core, "io.opentelemetry."),
                        Module.of("catalog", core, "com.networknt.schema.", "com.fasterxml.jackson.", "tools.jackson."),
                        Module.of("sandbox", core),
                        Module.of("telemetry", core, "io.opentelemetry."),
                        Module.of("guice", core, "com.google.inject."),
                        Module.of(
                                "sdk",
                                core,
                                "io.modelcontextprotocol.",
                                "reactor.",
                                "org.reactivestreams.",
                                "tools.jackson."),
                        Module.of("testkit", core, "org.junit.jupiter.", "org.assertj.", "org.opentest4j."),
                        Module.of("gateway", core),
                        Module.of(
                                "cli",
                                Set.of("core", "gateway", "audit"),
                                "picocli.",
                                "java.util.logging.",
                                "io.opentelemetry.")));
    }

    Stream<String> names() {
        return byPackage.values().stream().map(Module::name);
    }

    /** The packages of a module; those of {@code core} are what the others leave. */
    private String packageOf(String module) {
        return module.equals("core") ? root : root + "." + module.replace('-', '.');
    }

    String nameOf(JavaClass ours) {
        return moduleOf(ours.getPackageName())
                .map(Module::name)
                .orElseThrow(() -> new IllegalArgumentException("'" + ours.getName() + "' belongs to no module"));
    }

    boolean isOurs(JavaClass any) {
        return moduleOf(any.getPackageName()).isPresent();
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
