package io.mcpbridge.workflow;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.workflow.WorkflowStep.ForEach;
import io.mcpbridge.workflow.WorkflowStep.Handling;
import io.mcpbridge.workflow.WorkflowStep.OnError;
import io.mcpbridge.workflow.WorkflowStep.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a workflow and collects every mistake in it, each with its step. For one thread. */
final class WorkflowParser {
    private static final int MAX_STEPS = 1_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
    private static final String NAME_RULE = "letters, digits, '_' and '-', at most 64, and no digit first";
    private static final Pattern TOOL = Pattern.compile("[^.]+\\..+");
    private static final Set<String> ROOTS = new TreeSet<>(Set.of("steps", "context", "item", "index"));

    private final MistakeCollector mistakes = new MistakeCollector();

    /** The sections of all steps of the file, by name. */
    private final Map<String, Map<String, @Nullable Object>> declared = new LinkedHashMap<>();

    /** What steps of the file assign. */
    private final Set<String> declaredValues = new HashSet<>();

    /** The steps that are read. */
    private final Map<String, WorkflowStep> steps = new LinkedHashMap<>();

    /** What the steps that are read assign, with the name of the step. */
    private final Map<String, String> values = new LinkedHashMap<>();

    /** The members of the context that no step assigns. */
    private final Set<String> given = new TreeSet<>();

    private WorkflowParser() {}

    /** @throws ConfigurationException with every mistake */
    static Workflow parse(String text) {
        if (WorkflowDocument.read(text) instanceof Map<?, ?> members) {
            return new WorkflowParser().workflow(named(members));
        }
        throw ConfigurationException.of("a workflow must be an object with 'steps'");
    }

    private Workflow workflow(Map<String, @Nullable Object> members) {
        var settings = Settings.of(members);
        var name = settings.text("name", "");
        var description = settings.text("description", "");
        settings.ignore("input", "steps", "result");
        mistakes.check(() -> settings.finish(() -> settings));
        readSteps(members.get("steps"));
        var result = members.get("result");
        new Scan("", false, problem -> mistakes.add("'result': " + problem)).of(result);
        var schema = members.getOrDefault("input", Map.of());
        if (!(schema instanceof Map<?, ?>)) {
            mistakes.add("'input' is '%s' but must be the JSON Schema of an object".formatted(schema));
        }
        var input = WorkflowInput.of(schema instanceof Map<?, ?> rules ? named(rules) : Map.of(), given, mistakes);
        mistakes.throwIfAny();
        return new Workflow(name, description, input, List.copyOf(steps.values()), result);
    }

    private void readSteps(@Nullable Object listed) {
        if (!(listed instanceof List<?> list) || list.isEmpty() || list.size() > MAX_STEPS) {
            mistakes.add("'steps' must be a list of 1 to %d steps".formatted(MAX_STEPS));
            return;
        }
        var readers = new ArrayList<StepReader>();
        for (var each : list) {
            var number = readers.size() + 1;
            if (!(each instanceof Map<?, ?>)) {
                mistakes.add("step %d is '%s' but must be an object".formatted(number, each));
            }
            var members = each instanceof Map<?, ?> section ? named(section) : Map.<String, @Nullable Object>of();
            readers.add(new StepReader(members, number));
            declared.put(String.valueOf(members.get("name")), members);
            declaredValues.add(String.valueOf(members.get("assign")));
        }
        readers.forEach(StepReader::read);
    }

    private static List<String> names(@Nullable Object list) {
        return list instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static Map<String, @Nullable Object> named(Map<?, ?> members) {
        var named = new LinkedHashMap<String, @Nullable Object>();
        members.forEach((name, member) -> named.put(String.valueOf(name), member));
        return named;
    }

    /** Reads one step. */
    private final class StepReader {
        private final Map<String, @Nullable Object> members;
        private final Settings settings;
        private final String name;
        private final Consumer<String> problems;

        private StepReader(Map<String, @Nullable Object> members, int number) {
            this.members = members;
            this.settings = Settings.of(members);
            this.name = settings.text("name", "");
            var subject = name.isEmpty() ? "step %d: ".formatted(number) : "step '%s': ".formatted(name);
            this.problems = problem -> mistakes.add(subject + problem);
        }

        private void read() {
            settings.ignore("when", "params", "ask", "forEach");
            settings.require(NAME.matcher(name).matches(), "name", NAME_RULE);
            if (steps.containsKey(name)) {
                problems.accept("another step has this name; choose a different one");
            }
            var action = action();
            var forEach = forEach();
            var when = new Condition(members.getOrDefault("when", true));
            when.check(problems);
            var order = order(action, forEach, when);
            steps.putIfAbsent(name, new WorkflowStep(name, action, order, when, forEach, handling()));
            try {
                settings.finish(() -> name);
            } catch (ConfigurationException wrong) {
                wrong.problems().forEach(problems);
            }
        }

        private WorkflowStep.Action action() {
            var tool = settings.text("tool", "");
            var isQuestion = settings.has("ask");
            if (settings.has("tool") == isQuestion) {
                problems.accept("it must have either a 'tool' to call or a question to 'ask'");
            }
            settings.require(!settings.has("tool") || TOOL.matcher(tool).matches(), "tool", "'<server>.<tool>'");
            if (isQuestion && settings.has("params")) {
                problems.accept("'params' are those of a tool; remove them, or 'ask'");
            }
            var key = isQuestion ? "ask" : "params";
            var params = members.getOrDefault(key, Map.of());
            if (!(params instanceof Map<?, ?> object)) {
                problems.accept("'%s' is '%s' but must be an object".formatted(key, params));
                return new WorkflowStep.Action(tool, Map.of());
            }
            if (isQuestion && !(object.get("message") instanceof String && object.get("schema") instanceof Map)) {
                problems.accept("'ask' must have a 'message' and the JSON 'schema' of the answer");
            }
            return new WorkflowStep.Action(tool, named(object));
        }

        private Optional<ForEach> forEach() {
            var value = members.get("forEach");
            if (value == null) {
                return Optional.empty();
            }
            var section = value instanceof Map<?, ?> ? settings.section("forEach") : Settings.of(Map.of());
            section.ignore("items");
            var max = section.integer("max", ForEach.USUAL_MAX);
            var parallel = section.integer("parallel", 1);
            section.require(max >= 1 && max <= ForEach.LARGEST_MAX, "max", "1 to " + ForEach.LARGEST_MAX);
            section.require(
                    parallel >= 1 && parallel <= ForEach.LARGEST_PARALLEL,
                    "parallel",
                    "1 to " + ForEach.LARGEST_PARALLEL);
            settings.noting(() -> section.finish(() -> section), section);
            var items = value instanceof Map<?, ?> object ? object.get("items") : value;
            if (items != null
                    && (items instanceof List<?> || References.path(items).isPresent())) {
                var forEach = new ForEach(items, max, parallel);
                if (items instanceof List<?> list && list.size() > max) {
                    problems.accept(forEach.tooLong(list));
                }
                return Optional.of(forEach);
            }
            problems.accept("'forEach' must have a list or a reference to one, but has '%s'".formatted(items));
            return Optional.of(new ForEach(List.of(), 1, 1));
        }

        private Order order(WorkflowStep.Action action, Optional<ForEach> forEach, Condition when) {
            var values = new Scan(name, forEach.isPresent(), problems).of(action.params());
            forEach.ifPresent(each -> values.addAll(new Scan(name, false, problems).of(each.items())));
            var after = new Scan(name, false, problems).of(when.tree());
            for (var before : settings.texts("dependsOn")) {
                requireAbove(name, before, problems);
                after.add(before);
            }
            return new Order(values, after, assign());
        }

        private String assign() {
            var assign = settings.text("assign", "");
            if (!settings.has("assign")) {
                return "";
            }
            settings.require(NAME.matcher(assign).matches(), "assign", NAME_RULE);
            var other = values.putIfAbsent(assign, name);
            if (other != null) {
                problems.accept(
                        "'assign' is '%s', which step '%s' assigns; choose another name".formatted(assign, other));
            }
            return assign;
        }

        private Handling handling() {
            var onError = settings.choice("onError", OnError.values(), OnError::word, "'stop', 'continue' or 'retry'");
            var timeout = settings.duration("timeout");
            settings.require(timeout.filter(Duration::isZero).isEmpty(), "timeout", "longer than zero");
            return new Handling(onError.orElse(OnError.STOP), timeout.orElse(null));
        }
    }

    /** Checks the references in a value of a step, or in the result, whose step has no name. */
    private final class Scan {
        private final String step;
        private final boolean isRepeated;
        private final Consumer<String> problems;
        private final Set<String> uses = new LinkedHashSet<>();

        private Scan(String step, boolean isRepeated, Consumer<String> problems) {
            this.step = step;
            this.isRepeated = isRepeated;
            this.problems = problems;
        }

        /** The steps whose values the references point to. */
        private Set<String> of(@Nullable Object value) {
            References.scan(value, this::check, problems);
            return uses;
        }

        private void check(List<String> path) {
            var root = path.get(0);
            var member = path.size() > 1 ? path.get(1) : "";
            var text = "${%s}".formatted(String.join(".", path));
            if (!ROOTS.contains(root)) {
                problems.accept("the reference '%s' must begin with one of %s; %swrite for example ${steps.<name>.text}"
                        .formatted(text, ROOTS, Nearest.question(root, ROOTS)));
            } else if (!Set.of("steps", "context").contains(root)) {
                if (!isRepeated) {
                    problems.accept("the reference '%s' has a value only in 'params' beside 'forEach'".formatted(text));
                }
            } else if (member.isEmpty()) {
                problems.accept("the reference '%s' must have a name behind '%s'".formatted(text, root));
            } else if (root.equals("context")) {
                ofContext(member);
            } else {
                requireAbove(step, member, problems);
                uses.add(member);
                requireResult(path, text);
            }
        }

        private void requireResult(List<String> path, String text) {
            var section = declared.get(path.get(1));
            if (section == null || path.size() == 2) {
                return;
            }
            var known = StepResult.members(section.get("ask") != null, section.get("forEach") != null);
            if (!known.contains(path.get(2))) {
                problems.accept("the reference '%s' points to nothing; %sa result of step '%s' has %s"
                        .formatted(text, Nearest.question(path.get(2), known), path.get(1), known));
            }
        }

        private void ofContext(String member) {
            var assigning = values.get(member);
            if (assigning != null && !assigning.equals(step)) {
                uses.add(assigning);
            } else if (declaredValues.contains(member)) {
                problems.accept(
                        "the reference '${context.%s}' needs a value that no step above assigns; move that step up"
                                .formatted(member));
            } else {
                given.add(member);
            }
        }
    }

    private void requireAbove(String step, String other, Consumer<String> problems) {
        if (!declared.containsKey(other)) {
            problems.accept("it needs the step '%s', which does not exist; %sthere are %s"
                    .formatted(other, Nearest.question(other, declared.keySet()), declared.keySet()));
        } else if (other.equals(step) || reaches(other, step, new HashSet<>())) {
            problems.accept("it needs the step '%s', which waits for '%s'; remove a dependency of this cycle"
                    .formatted(other, step));
        } else if (!steps.containsKey(other)) {
            problems.accept("it needs the step '%s', which is below it; move that step up".formatted(other));
        }
    }

    private boolean reaches(String from, String to, Set<String> seen) {
        return seen.add(from)
                && names(declared.getOrDefault(from, Map.of()).get("dependsOn")).stream()
                        .anyMatch(next -> next.equals(to) || reaches(next, to, seen));
    }
}
