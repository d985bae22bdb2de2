package io.mcpbridge.architecture.builds;

import java.util.Map;
import java.util.Set;

/**
 * What one of the two builds says, in terms that both have.
 *
 * @param version the version of our own artifacts
 * @param versions versions of libraries and tools by their short name, such as {@code jackson}
 * @param managed for each library, {@code group:artifact}, the short name of its version
 * @param boms imported bills of materials, {@code group:artifact}
 * @param modules dependencies of each module, by its name
 */
record Build(
        String version,
        Map<String, String> versions,
        Map<String, String> managed,
        Set<String> boms,
        Map<String, Set<Dependency>> modules) {

    Build {
        versions = Map.copyOf(versions);
        managed = Map.copyOf(managed);
        boms = Set.copyOf(boms);
        modules = Map.copyOf(modules);
    }

    /** A library as {@code group:artifact} or a module by its name, and what it is there for. */
    record Dependency(String on, Scope scope) {}

    /** What a dependency is there for, in Maven's words where Maven has one. */
    enum Scope {
        COMPILE,
        PROVIDED,
        RUNTIME,
        TEST,
        PROCESSOR,
        CONSTRAINT
    }
}
