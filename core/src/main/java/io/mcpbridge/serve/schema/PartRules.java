package io.mcpbridge.serve.schema;

import io.mcpbridge.spi.SchemaIssue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules about the parts of values, and those that put other rules together. */
final class PartRules {

    private PartRules() {}

    static Rule all(List<Rule> rules) {
        return (value, path, issues) -> rules.forEach(rule -> rule.check(value, path, issues));
    }

    static Rule any(List<Rule> rules) {
        return Rule.of(value -> rules.stream().anyMatch(rule -> passes(rule, value)), "must fit one of 'anyOf'");
    }

    static Rule one(List<Rule> rules) {
        return Rule.of(
                value -> rules.stream().filter(rule -> passes(rule, value)).count() == 1,
                "must fit exactly one of 'oneOf'");
    }

    static Rule not(Rule rule) {
        return Rule.of(value -> !passes(rule, value), "must not fit 'not'");
    }

    private static boolean passes(Rule rule, @org.jspecify.annotations.Nullable Object value) {
        var issues = new ArrayList<SchemaIssue>();
        rule.check(value, "", issues);
        return issues.isEmpty();
    }

    static Rule required(List<String> names) {
        return (value, path, issues) -> {
            if (value instanceof Map<?, ?> members) {
                names.stream()
                        .filter(name -> !members.containsKey(name))
                        .forEach(name -> issues.add(new SchemaIssue(path, "needs '%s'".formatted(name))));
            }
        };
    }

    static Rule properties(Map<String, Rule> rules) {
        return (value, path, issues) -> {
            if (value instanceof Map<?, ?> members) {
                rules.forEach((name, rule) -> {
                    if (members.containsKey(name)) {
                        rule.check(members.get(name), at(path, name), issues);
                    }
                });
            }
        };
    }

    /** For members that {@code known} does not name. */
    static Rule additional(Set<String> known, Rule rule) {
        return (value, path, issues) -> {
            if (value instanceof Map<?, ?> members) {
                members.forEach((key, member) -> {
                    var name = String.valueOf(key);
                    if (!known.contains(name)) {
                        rule.check(member, at(path, name), issues);
                    }
                });
            }
        };
    }

    static Rule items(Rule rule) {
        return (value, path, issues) -> {
            if (value instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    rule.check(list.get(i), path + "/" + i, issues);
                }
            }
        };
    }

    private static String at(String path, String name) {
        return path + "/" + name.replace("~", "~0").replace("/", "~1");
    }
}
