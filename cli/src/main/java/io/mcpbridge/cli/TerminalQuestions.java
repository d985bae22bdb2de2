package io.mcpbridge.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Json;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the user of the terminal to fill in forms, one after the other; without a terminal, says so and declines. */
final class TerminalQuestions implements ElicitationHandler {
    private final @Nullable Reader reader;
    private final Consumer<String> lines;
    private final ReentrantLock turn = new ReentrantLock();

    /** The line that a thread reads, which no interrupt ends; a later question takes it over. */
    @GuardedBy("turn")
    private @Nullable FutureTask<Optional<String>> next;

    TerminalQuestions(Consumer<String> lines) {
        this(reader(System.console(), Path.of("/proc/self/fd/0")), lines);
    }

    /**
     * @param reader null if there is no terminal
     * @param lines receives text for the user
     */
    TerminalQuestions(@Nullable Reader reader, Consumer<String> lines) {
        this.reader = reader;
        this.lines = lines;
    }

    /** Reads a line of the user. */
    interface Reader {
        /** Null at the end of the input. */
        @Nullable
        String readLine() throws IOException;
    }

    /**
     * The reader of the terminal; null if there is none. A console may be missing only because the output is redirected.
     *
     * @param input links to what standard input is, where the system has such links
     */
    static @Nullable Reader reader(@Nullable Console console, Path input) {
        if (console != null) {
            return console::readLine;
        }
        try {
            var isTerminal = Files.readSymbolicLink(input).toString().matches("/dev/(pts/|tty|console).*");
            return isTerminal
                    ? new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))::readLine
                    : null;
        } catch (IOException noLink) {
            return null;
        }
    }

    @Override
    public ElicitResult elicit(ElicitRequest request) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            var asker = request.server().isEmpty() ? "The workflow" : "A server";
            var question = VisibleText.of(request.message());
            if (reader == null) {
                lines.accept("%s asks: %s, which is declined, since there is no terminal; run the command on a terminal"
                        .formatted(asker, question));
                return ElicitResult.decline();
            }
            if (next != null && next.isDone()) {
                // A line for a question that is no longer asked.
                next = null;
            }
            lines.accept(
                    "%s asks: %s (an empty line takes the default of a field, or skips it)".formatted(asker, question));
            return ask(request.requestedSchema().map(Json::asMap).orElse(Map.of()), reader);
        } catch (InterruptedException withdrawn) {
            lines.accept("  no longer asked");
            throw withdrawn;
        } finally {
            turn.unlock();
        }
    }

    @GuardedBy("turn")
    private ElicitResult ask(Map<?, ?> schema, Reader answers) throws InterruptedException {
        var values = new LinkedHashMap<String, Object>();
        var form = members(schema, "properties");
        var isConfirmation = form.isEmpty();
        var properties = isConfirmation ? Map.of("accept", Map.of("type", "boolean")) : form;
        var required = isConfirmation ? List.of("accept") : elements(schema, "required");
        for (var field : properties.entrySet()) {
            var name = String.valueOf(field.getKey());
            var rules = members(properties, name);
            var isRequired = required.contains(name);
            lines.accept("  %s: %s%s%s"
                    .formatted(
                            VisibleText.of(name),
                            VisibleText.of(hint(rules)),
                            isRequired ? ", required" : "",
                            VisibleText.of(rules.get("default") == null ? "" : ", default " + rules.get("default"))));
            var read = values(rules, isRequired, answers);
            if (read.isEmpty()) {
                return ElicitResult.cancel();
            }
            if ((isList(rules) && isRequired) || !read.get().isEmpty()) {
                values.put(name, isList(rules) ? read.get() : read.get().get(0));
            }
        }
        if (isConfirmation) {
            return values.containsValue(true) ? ElicitResult.accept(Map.of()) : ElicitResult.decline();
        }
        return ElicitResult.accept(values);
    }

    /** The values of a field, at most one unless it is a list; empty at the end of the input. */
    @GuardedBy("turn")
    private Optional<List<Object>> values(Map<?, ?> rules, boolean isRequired, Reader answers)
            throws InterruptedException {
        var values = new ArrayList<>();
        var least = !isList(rules) ? 1 : rules.get("minItems") instanceof Number number ? number.intValue() : 0;
        while (values.isEmpty() || isList(rules)) {
            var line = line(answers);
            if (line.isEmpty()) {
                return Optional.empty();
            }
            var text = line.get().strip();
            if (text.isEmpty() && values.isEmpty() && rules.get("default") != null) {
                values.addAll(rules.get("default") instanceof List<?> list ? list : List.of(rules.get("default")));
                break;
            }
            if (text.isEmpty() && (values.size() >= least || (values.isEmpty() && !isRequired))) {
                break;
            }
            var value = value(text, element(rules));
            var issue = value.isEmpty() ? "must be " + hint(rules) : issue(value.get(), element(rules));
            if (issue.isEmpty()) {
                value.ifPresent(values::add);
            } else {
                lines.accept("  " + VisibleText.of(issue));
            }
        }
        return Optional.of(values);
    }

    /** How a value breaks its rules; the empty string if it does not, or if they cannot be checked. */
    private static String issue(Object value, Map<?, ?> rules) {
        try {
            return Providers.of(SchemaCheckProvider.class)
                    .named("json-schema")
                    .compile(Json.of(rules).text())
                    .issues(Json.of(value).text())
                    .stream()
                    .map(SchemaIssue::toString)
                    .collect(Collectors.joining("; "));
        } catch (ConfigurationException uncheckable) {
            return "";
        }
    }

    /** The next line; empty at the end of the input. */
    @GuardedBy("turn")
    private Optional<String> line(Reader answers) throws InterruptedException {
        var reading = next;
        if (reading == null) {
            reading = new FutureTask<>(() -> Optional.ofNullable(answers.readLine()));
            next = reading;
            var thread = new Thread(reading, "mcp-bridge-terminal");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            var line = reading.get();
            next = null;
            return line;
        } catch (ExecutionException unreadable) {
            throw new IllegalStateException("the terminal cannot be read", unreadable.getCause());
        }
    }

    private static String hint(Map<?, ?> rules) {
        var element = element(rules);
        var shown = choices(element).values();
        var kind = shown.isEmpty() ? element.get("type") : "one of " + shown;
        var hint = "boolean".equals(kind)
                ? "yes or no"
                : kind + (isList(rules) ? ", one a line, ended by an empty line" : "");
        return rules.get("description") instanceof String text ? "%s (%s)".formatted(text, hint) : hint;
    }

    private static boolean isList(Map<?, ?> rules) {
        return "array".equals(rules.get("type"));
    }

    /** The rules for one value of a field. */
    private static Map<?, ?> element(Map<?, ?> rules) {
        return isList(rules) ? members(rules, "items") : rules;
    }

    /** What is shown of the allowed values, by their texts; empty if each value is allowed. */
    private static Map<String, String> choices(Map<?, ?> rules) {
        var choices = new LinkedHashMap<String, String>();
        elements(rules, "enum").forEach(value -> choices.put(String.valueOf(value), String.valueOf(value)));
        Stream.of("oneOf", "anyOf")
                .flatMap(key -> elements(rules, key).stream())
                .forEach(each -> {
                    if (each instanceof Map<?, ?> choice && choice.get("const") instanceof String value) {
                        choices.put(
                                value,
                                choice.get("title") instanceof String title ? value + " (" + title + ")" : value);
                    }
                });
        return choices;
    }

    private static Map<?, ?> members(Map<?, ?> rules, String key) {
        return rules.get(key) instanceof Map<?, ?> members ? members : Map.of();
    }

    private static List<?> elements(Map<?, ?> rules, String key) {
        return rules.get(key) instanceof List<?> list ? list : List.of();
    }

    /** Empty if the text is none, or does not have the type. */
    private static Optional<Object> value(String text, Map<?, ?> rules) {
        try {
            var allowed = choices(rules).keySet();
            if (text.isEmpty() || !(allowed.isEmpty() || allowed.contains(text))) {
                return Optional.empty();
            }
            return switch (String.valueOf(rules.get("type"))) {
                case "boolean" ->
                    switch (text) {
                        case "y", "yes", "true" -> Optional.of(true);
                        case "n", "no", "false" -> Optional.of(false);
                        default -> Optional.empty();
                    };
                case "integer" -> Optional.of(Long.valueOf(text));
                case "number" -> Optional.of(new BigDecimal(text));
                default -> Optional.of(text);
            };
        } catch (NumberFormatException otherwise) {
            return Optional.empty();
        }
    }
}
