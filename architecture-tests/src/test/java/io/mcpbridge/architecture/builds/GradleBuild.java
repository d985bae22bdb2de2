package io.mcpbridge.architecture.builds;

import io.mcpbridge.architecture.builds.Build.Dependency;
import io.mcpbridge.architecture.builds.Build.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the Gradle files into a {@link Build}.
 *
 * <p>It understands one dependency a line, and rejects a line that it does not understand: better to
 * write the build more simply than to compare only half of it.
 */
final class GradleBuild {

    private static final Map<String, Scope> SCOPES = Map.of(
            "api", Scope.COMPILE,
            "implementation", Scope.COMPILE,
            "compileOnly", Scope.PROVIDED,
            "runtimeOnly", Scope.RUNTIME,
            "testImplementation", Scope.TEST,
            "annotationProcessor", Scope.PROCESSOR);

    /** Maven says these by the way: its test class path has the provided one, and Surefire finds the launcher. */
    private static final Set<String> SAID_OTHERWISE =
            Set.of("testCompileOnly", "testRuntimeOnly", "testAnnotationProcessor");

    private static final Pattern VERSION = Pattern.compile("(?m)^([\\w-]+) = \"([^\"]+)\"$");
    private static final Pattern LIBRARY =
            Pattern.compile("(?m)^([\\w-]+) = \\{ module = \"([^\"]+)\", version\\.ref = \"([^\"]+)\" }$");
    private static final Pattern INCLUDED = Pattern.compile("(?m)^    \"([\\w-]+)\",$");
    private static final Pattern OWN_VERSION = Pattern.compile("(?m)^version=(.+)$");
    private static final Pattern LINE = Pattern.compile(
            "\"?(\\w+)\"?\\((platform\\()?(?:rootProject\\.)?(?:libs\\.([\\w.]+)|project\\(\":([\\w-]+)\"\\))\\)+(?: \\{ exclude\\([^()]+\\) })?");

    private final Path root;
    private final String catalog;

    private GradleBuild(Path root) {
        this.root = root;
        this.catalog = text("gradle/libs.versions.toml");
    }

    static Build read(Path root) {
        return new GradleBuild(root).read();
    }

    private Build read() {
        Map<String, String> managed = new TreeMap<>();
        LIBRARY.matcher(catalog).results().forEach(it -> managed.put(it.group(2), it.group(3)));
        Map<String, String> versions = new TreeMap<>();
        VERSION.matcher(catalog).results().forEach(it -> versions.put(it.group(1), it.group(2)));

        List<MatchResult> common = lines("build.gradle.kts", "    dependencies {");
        Set<String> boms =
                common.stream().filter(GradleBuild::isPlatform).map(this::on).collect(Collectors.toSet());

        Map<String, Set<Dependency>> modules = new TreeMap<>();
        INCLUDED.matcher(text("settings.gradle.kts"))
                .results()
                .forEach(it -> modules.put(it.group(1), dependencies(it.group(1), common)));
        return new Build(ownVersion(), versions, managed, boms, modules);
    }

    private String ownVersion() {
        return OWN_VERSION
                .matcher(text("gradle.properties"))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private Set<Dependency> dependencies(String module, List<MatchResult> common) {
        String file = module + "/build.gradle.kts";
        if (module.equals("bom")) {
            return lines(file, "    constraints {").stream()
                    .map(it -> new Dependency(on(it), Scope.CONSTRAINT))
                    .collect(Collectors.toSet());
        }
        Map<String, Scope> scopes = new LinkedHashMap<>();
        Set<Dependency> dependencies = new LinkedHashSet<>();
        for (List<MatchResult> lines : List.of(common, lines(file, "dependencies {"))) {
            for (MatchResult line : lines) {
                Scope scope = SCOPES.get(line.group(1));
                if (scope == Scope.PROCESSOR) {
                    dependencies.add(new Dependency(on(line), scope));
                } else if (scope != null && !isPlatform(line)) {
                    scopes.put(on(line), scope);
                }
            }
        }
        scopes.forEach((on, scope) -> dependencies.add(new Dependency(on, scope)));
        return dependencies;
    }

    /** The lines of the block that starts with {@code opening}, alone on its line. */
    private List<MatchResult> lines(String file, String opening) {
        String indent = opening.replaceAll("\\S.*", "");
        String text = text(file);
        int start = text.indexOf("\n" + opening + "\n", text.indexOf("configure("));
        int end = text.indexOf("\n" + indent + "}\n", start + 1);
        if (start < 0 || end < 0) {
            throw new IllegalStateException("'%s' has no block '%s'".formatted(file, opening.strip()));
        }
        return text.substring(start + opening.length() + 2, end)
                .lines()
                .map(String::strip)
                .filter(it -> !it.isEmpty() && !it.startsWith("//"))
                .map(it -> understood(file, it))
                .toList();
    }

    private static MatchResult understood(String file, String line) {
        var matcher = LINE.matcher(line);
        if (!matcher.matches()
                || !(SCOPES.containsKey(matcher.group(1)) || SAID_OTHERWISE.contains(matcher.group(1)))) {
            throw new IllegalStateException(
                    "'%s' has the line '%s'; write one dependency a line, such as 'api(libs.guice)', or teach this test"
                            .formatted(file, line));
        }
        return matcher.toMatchResult();
    }

    private static boolean isPlatform(MatchResult line) {
        return line.group(2) != null;
    }

    private String on(MatchResult line) {
        if (line.group(4) != null) {
            return line.group(4);
        }
        String alias = line.group(3).replace('.', '-');
        return LIBRARY.matcher(catalog)
                .results()
                .filter(it -> it.group(1).equals(alias))
                .map(it -> it.group(2))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("libs.versions.toml has no library '" + alias + "'"));
    }

    private String text(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
