package io.mcpbridge.architecture.builds;

import io.mcpbridge.architecture.builds.Build.Dependency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists how two builds differ, one difference a line. */
final class BuildComparison {

    private final Build maven;
    private final Build gradle;
    private final List<String> differences = new ArrayList<>();

    private BuildComparison(Build maven, Build gradle) {
        this.maven = maven;
        this.gradle = gradle;
    }

    static List<String> differences(Build maven, Build gradle) {
        var comparison = new BuildComparison(maven, gradle);
        comparison.compare();
        return List.copyOf(comparison.differences);
    }

    private void compare() {
        compareValues("our version", Map.of("", maven.version()), Map.of("", gradle.version()));
        compareValues("version ", maven.versions(), gradle.versions());
        compareSets("imported BOM", maven.boms(), gradle.boms());
        compareManaged();
        compareSets("module", maven.modules().keySet(), gradle.modules().keySet());
        maven.modules().forEach((module, inMaven) -> {
            Set<Dependency> inGradle = gradle.modules().getOrDefault(module, inMaven);
            compareSets("module '" + module + "':", inMaven, inGradle);
        });
    }

    /** Gradle's catalog also has what Maven gets from a BOM or names elsewhere, so it may hold more. */
    private void compareManaged() {
        for (var library : maven.managed().entrySet()) {
            String inGradle = gradle.managed().getOrDefault(library.getKey(), "none");
            if (!inGradle.equals(library.getValue())) {
                differences.add("version of '%s' is that of '%s' in Maven, of '%s' in Gradle"
                        .formatted(library.getKey(), library.getValue(), inGradle));
            }
        }
    }

    private void compareValues(String what, Map<String, String> inMaven, Map<String, String> inGradle) {
        compareSets(what.strip(), inMaven.keySet(), inGradle.keySet());
        inMaven.forEach((name, version) -> {
            String other = inGradle.getOrDefault(name, version);
            if (!version.equals(other)) {
                differences.add("%s%s is %s in Maven, %s in Gradle".formatted(what, name, version, other));
            }
        });
    }

    private void compareSets(String what, Collection<?> inMaven, Collection<?> inGradle) {
        for (Object one : inMaven) {
            if (!inGradle.contains(one)) {
                differences.add("%s %s is only in Maven".formatted(what, one));
            }
        }
        for (Object one : inGradle) {
            if (!inMaven.contains(one)) {
                differences.add("%s %s is only in Gradle".formatted(what, one));
            }
        }
    }
}
