package io.mcpbridge.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a run of the suite found.
 *
 * @param scenarios the checks of each scenario, by its name
 */
record Results(Map<String, List<Check>> scenarios) {
    private static final Pattern FOLDER = Pattern.compile("(?:server-)?(.+)-\\d{4}-\\d\\d-\\d\\dT[-\\dZ]+");

    /**
     * One thing that was looked at.
     *
     * @param told what was wrong, if something was
     */
    record Check(String id, String status, String told) {

        private static Check of(Map<String, Object> json) {
            return new Check(
                    String.valueOf(json.get("id")),
                    String.valueOf(json.get("status")),
                    String.valueOf(json.getOrDefault("errorMessage", json.get("description"))));
        }

        boolean isGood() {
            return status.equals("SUCCESS");
        }

        boolean isBad() {
            return status.equals("FAILURE") || status.equals("WARNING");
        }

        @Override
        public String toString() {
            return "%s %s: %s".formatted(status, id, told);
        }
    }

    /** Reads them from the output folder of the suite. */
    static Results read(Path folder) throws IOException {
        var scenarios = new TreeMap<String, List<Check>>();
        try (var places = Files.list(folder)) {
            for (var place : places.filter(Files::isDirectory).toList()) {
                scenarios.put(name(place), checks(place.resolve("checks.json")));
            }
        }
        return new Results(scenarios);
    }

    private static String name(Path folder) {
        var matcher = FOLDER.matcher(folder.getFileName().toString());
        return matcher.matches() ? matcher.group(1) : folder.getFileName().toString();
    }

    private static List<Check> checks(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of(new Check("whole-scenario", "FAILURE", "the scenario broke off"));
        }
        var json = McpJsonDefaults.getMapper()
                .readValue(Files.readAllBytes(file), new TypeRef<List<Map<String, Object>>>() {});
        return json.stream().map(Check::of).toList();
    }

    /** The scenarios in which something was checked and nothing was wrong, a mere warning included. */
    Set<String> passed() {
        return scenarios.entrySet().stream()
                .filter(scenario -> passes(scenario.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean passes(List<Check> checks) {
        return checks.stream().anyMatch(Check::isGood) && checks.stream().noneMatch(Check::isBad);
    }

    /** Fails unless all of these passed; says what was wrong with the others. */
    void assertPassed(Set<String> required) {
        assertPassed(required, Set.of());
    }

    /** The same, save for some that are known not to pass; fails if one of these passes, too. */
    void assertPassed(Set<String> required, Set<String> notYet) {
        var passed = passed();
        var failed = Scenarios.without(required, Scenarios.and(passed, notYet)).stream()
                .sorted()
                .toList();

        assertThat(failed).as(() -> problems(failed)).isEmpty();
        assertThat(notYet.stream().filter(passed::contains))
                .as("scenarios that pass by now: add them, by not naming them here")
                .isEmpty();
    }

    private String problems(List<String> failed) {
        return failed.stream()
                .map(name -> name + ": "
                        + scenarios.getOrDefault(name, List.of()).stream()
                                .filter(Check::isBad)
                                .toList())
                .collect(Collectors.joining("\n", "scenarios that must pass:\n", "\n"));
    }
}
