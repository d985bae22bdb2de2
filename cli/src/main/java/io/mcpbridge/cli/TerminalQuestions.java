package io.mcpbridge.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.Json;
import java.io.Console;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks the user of the terminal to fill in forms, one after the other; without a terminal, says so and declines. */
final class TerminalQuestions implements ElicitationHandler {
    private final @Nullable Reader reader;
    private final Consumer<String> lines;
    private final ReentrantLock turn = new ReentrantLock();

    /** The line that a thread reads, which no interrupt ends; a later question takes it over. */
    @GuardedBy("turn")
    private @Nullable FutureTask<Optional<String>> next;

    TerminalQuestions(@Nullable Console console, Consumer<String> lines) {
        this(console == null ? null : console::readLine, lines);
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
        String readLine();
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
            lines.accept("%s asks: %s (an empty line skips a field)".formatted(asker, question));
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
        var properties = schema.get("properties") instanceof Map<?, ?> fields ? fields : Map.of();
        var required = schema.get("required") instanceof List<?> names ? names : List.of();
        for (var field : properties.entrySet()) {
            var name = String.valueOf(field.getKey());
            var rules = field.getValue() instanceof Map<?, ?> given ? given : Map.of();
            var isRequired = required.contains(name);
            lines.accept("  %s: %s%s"
                    .formatted(VisibleText.of(name), VisibleText.of(hint(rules)), isRequired ? ", required" : ""));
            Optional<Object> value;
            do {
                var line = line(answers);
                if (line.isEmpty()) {
                    return ElicitResult.cancel();
                }
                if (line.get().isBlank() && !isRequired) {
                    break;
                }
                value = value(line.get().strip(), rules);
                value.ifPresentOrElse(read -> values.put(name, read), () -> lines.accept("  must be " + hint(rules)));
            } while (value.isEmpty());
        }
        return ElicitResult.accept(values);
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
        var kind = rules.get("enum") == null ? rules.get("type") : "one of " + rules.get("enum");
        var hint = "boolean".equals(kind) ? "yes or no" : String.valueOf(kind);
        return rules.get("description") instanceof String text ? "%s (%s)".formatted(text, hint) : hint;
    }

    /** Empty if the text is none, or does not have the type. */
    private static Optional<Object> value(String text, Map<?, ?> rules) {
        try {
            if (text.isEmpty()
                    || (rules.get("enum") instanceof List<?> allowed
                            && allowed.stream().map(String::valueOf).noneMatch(text::equals))) {
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
