package io.mcpbridge.cli;

import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.Json;
import java.io.Console;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks the user of the terminal to fill in forms, one after the other; without a terminal, declines. */
final class TerminalQuestions implements ElicitationHandler {
    private final @Nullable Reader reader;
    private final Consumer<String> lines;
    private final ReentrantLock turn = new ReentrantLock();

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
            return reader == null ? ElicitResult.decline() : ask(request, reader);
        } finally {
            turn.unlock();
        }
    }

    private ElicitResult ask(ElicitRequest request, Reader answers) {
        var asker = request.server().isEmpty() ? "The workflow" : "A server";
        lines.accept("%s asks: %s (an empty line skips a field)".formatted(asker, VisibleText.of(request.message())));
        var values = new LinkedHashMap<String, Object>();
        var schema = request.requestedSchema().map(Json::asMap).orElse(Map.of());
        var properties = schema.get("properties") instanceof Map<?, ?> fields ? fields : Map.of();
        for (var field : properties.entrySet()) {
            var name = String.valueOf(field.getKey());
            var rules = field.getValue() instanceof Map<?, ?> given ? given : Map.of();
            lines.accept("  %s: %s".formatted(VisibleText.of(name), VisibleText.of(hint(rules))));
            Optional<Object> value;
            do {
                var line = answers.readLine();
                if (line == null) {
                    return ElicitResult.cancel();
                }
                if (line.isBlank()) {
                    break;
                }
                value = value(line.strip(), rules);
                value.ifPresentOrElse(read -> values.put(name, read), () -> lines.accept("  must be " + hint(rules)));
            } while (value.isEmpty());
        }
        return ElicitResult.accept(values);
    }

    private static String hint(Map<?, ?> rules) {
        var kind = rules.get("enum") == null ? rules.get("type") : "one of " + rules.get("enum");
        var hint = "boolean".equals(kind) ? "yes or no" : String.valueOf(kind);
        return rules.get("description") instanceof String text ? "%s (%s)".formatted(text, hint) : hint;
    }

    /** Empty if the text does not have the type. */
    private static Optional<Object> value(String text, Map<?, ?> rules) {
        try {
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
