package io.mcpbridge.architecture.builds;

import io.mcpbridge.architecture.builds.Build.Dependency;
import io.mcpbridge.architecture.builds.Build.Scope;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the poms into a {@link Build}, with what modules inherit from the parent. */
final class MavenBuild {

    private static final String OWN_GROUP = "io.mcpbridge";
    private static final String OWN_PREFIX = "mcp-bridge-";

    private final Path root;
    private final Xml parent;

    private MavenBuild(Path root) {
        this.root = root;
        this.parent = Xml.read(root.resolve("pom.xml"));
    }

    static Build read(Path root) {
        return new MavenBuild(root).read();
    }

    private Build read() {
        Map<String, String> managed = new TreeMap<>();
        Set<String> boms = new LinkedHashSet<>();
        for (Xml dependency : parent.all("dependencyManagement", "dependencies", "dependency")) {
            if (!dependency.text("groupId").equals(OWN_GROUP)) {
                managed.put(coordinates(dependency), versionName(dependency));
            }
            if (dependency.text("scope").equals("import")) {
                boms.add(coordinates(dependency));
            }
        }
        return new Build(revision(parent), versions(), managed, boms, modules());
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        for (Xml property : parent.all("properties", "*")) {
            if (property.name().endsWith(".version")) {
                versions.put(property.name().replace(".version", ""), property.text());
            }
        }
        return versions;
    }

    private static String revision(Xml project) {
        return project.text("properties", "revision");
    }

    private static String versionName(Xml dependency) {
        String version = dependency.text("version");
        if (!version.matches("\\$\\{.+\\.version}")) {
            throw new IllegalStateException("'%s' has the version '%s' but must have a property named '….version'"
                    .formatted(coordinates(dependency), version));
        }
        return version.substring(2, version.length() - ".version}".length());
    }

    private Map<String, Set<Dependency>> modules() {
        Map<String, Set<Dependency>> modules = new TreeMap<>();
        for (Xml module : parent.all("modules", "module")) {
            modules.put(module.text(), dependencies(module.text()));
        }
        return modules;
    }

    private Set<Dependency> dependencies(String module) {
        var pom = Xml.read(root.resolve(module).resolve("pom.xml"));
        checkNames(module, pom);
        if (module.equals("bom")) {
            return constraints(pom);
        }
        Map<String, Scope> scopes = new LinkedHashMap<>();
        for (Xml project : new Xml[] {parent, pom}) {
            project.all("dependencies", "dependency").forEach(it -> scopes.put(coordinates(it), scope(it)));
        }
        Set<Dependency> dependencies = scopes.entrySet().stream()
                .map(it -> new Dependency(it.getKey(), it.getValue()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        for (Xml processor : processors(pom)) {
            dependencies.add(new Dependency(coordinates(processor), Scope.PROCESSOR));
        }
        return dependencies;
    }

    private Iterable<Xml> processors(Xml pom) {
        var all = parent.descendants("annotationProcessorPaths", "path");
        all.addAll(pom.descendants("annotationProcessorPaths", "path"));
        return all;
    }

    private Set<Dependency> constraints(Xml bom) {
        return bom.all("dependencyManagement", "dependencies", "dependency").stream()
                .peek(it -> check("a version in 'bom'", it.text("version"), parent.text("version")))
                .map(it -> new Dependency(coordinates(it), Scope.CONSTRAINT))
                .collect(Collectors.toSet());
    }

    private void checkNames(String module, Xml pom) {
        check("the artifact of '" + module + "'", pom.text("artifactId"), OWN_PREFIX + module);
        if (module.equals("bom")) {
            check("the version of 'bom'", revision(pom), revision(parent));
        }
    }

    private static void check(String what, String actual, String expected) {
        if (!actual.equals(expected)) {
            throw new IllegalStateException("%s is '%s' but must be '%s'".formatted(what, actual, expected));
        }
    }

    private static Scope scope(Xml dependency) {
        String scope = dependency.text("scope");
        return scope.isEmpty() ? Scope.COMPILE : Scope.valueOf(scope.toUpperCase(Locale.ROOT));
    }

    private static String coordinates(Xml dependency) {
        String group = dependency.text("groupId");
        String artifact = dependency.text("artifactId");
        return group.equals(OWN_GROUP) ? artifact.substring(OWN_PREFIX.length()) : group + ":" + artifact;
    }
}
