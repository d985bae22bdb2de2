package io.mcpbridge.catalog.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import java.util.List;
import java.util.Locale;

/**
 * One check of a value against a schema, with a budget of visits and a bound on how deep its keywords nest.
 *
 * <p>A visit is a value, a member name, a part of a text, or an error that the check looks at; a keyword and a
 * character under a pattern count as several. Visits are counted and not timed, so that a check ends in the same way on
 * every machine. Issues are in English on every machine. One thread.
 */
final class BudgetedCheck extends ExecutionContext {
    /** The budget of a check of a value. */
    static final long VISITS = 20_000_000;

    /** The budget of a check of a schema against its metaschema. */
    static final long METASCHEMA_VISITS = 100_000_000;

    /** The keywords, names and indexes on the way from the root of the schema, references followed. */
    static final int DEPTH = 1_000;

    private static final int VISITS_PER_KEYWORD = 50;
    static final int VISITS_PER_PATTERN_CHARACTER = 10;
    private static final int VISITS_PER_ERROR = 150;

    private static final int QUOTED_CHARACTERS_PER_VISIT = 4;
    private static final int TEXT_CHARACTERS_PER_VISIT = 16;

    private static final ThreadLocal<BudgetedCheck> RUNNING = new ThreadLocal<>();

    private static final ExecutionConfig ENGLISH =
            ExecutionConfig.builder().locale(Locale.ROOT).build();

    private final long budget;
    private long visits;
    private int depth;

    BudgetedCheck(long budget) {
        super(ENGLISH);
        this.budget = budget;
    }

    /**
     * Checks a value.
     *
     * @throws BudgetExceededException if the budget does not suffice
     */
    List<Error> run(Schema schema, JsonNode value) {
        RUNNING.set(this);
        try {
            schema.validate(this, value);
        } finally {
            RUNNING.remove();
        }
        return getErrors();
    }

    /** The check that runs on this thread, for patterns: the library does not pass it to them. */
    static BudgetedCheck current() {
        return RUNNING.get();
    }

    /**
     * Counts visits before they are made.
     *
     * @throws BudgetExceededException if they exceed the budget
     */
    void visit(long count) {
        visits += count;
        if (visits > budget) {
            throw new BudgetExceededException("the check makes more than %,d visits".formatted(budget));
        }
    }

    /** Counts a value and everything in it. */
    void visitAll(JsonNode value) {
        visit(size(value));
        if (value.isObject()) {
            for (var member : value.properties()) {
                visit(1L + member.getKey().length() / TEXT_CHARACTERS_PER_VISIT);
                visitAll(member.getValue());
            }
        } else if (value.isArray()) {
            for (var element : value) {
                visitAll(element);
            }
        }
    }

    /** The visits of the value itself: its length, or its count of elements or members. */
    static long size(JsonNode value) {
        return 1L + (value.isTextual() ? value.textValue().length() / TEXT_CHARACTERS_PER_VISIT : value.size());
    }

    /** The library calls this before each keyword. */
    @Override
    public void evaluationPathAddLast(String keywordOrName) {
        visit(VISITS_PER_KEYWORD);
        descend();
        super.evaluationPathAddLast(keywordOrName);
    }

    @Override
    public void evaluationPathAddLast(int index) {
        descend();
        super.evaluationPathAddLast(index);
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    private void descend() {
        if (++depth > DEPTH) {
            throw new BudgetExceededException("its keywords nest deeper than %,d".formatted(DEPTH));
        }
    }

    /**
     * Counts each error where it is made, by the texts that it quotes: {@code if}, {@code not} and {@code anyOf} drop
     * some.
     */
    @Override
    public void addError(Error error) {
        visit(VISITS_PER_ERROR + quotedCharacters(error) / QUOTED_CHARACTERS_PER_VISIT);
        super.addError(error);
    }

    private static long quotedCharacters(Error error) {
        var arguments = error.getArguments();
        long characters = 0;
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            characters += arguments[i] instanceof String text ? text.length() : 0;
        }
        return characters;
    }

    /** A schema, or a check by it, costs more than its budget. Does not leave this package. */
    static final class BudgetExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Without a stack trace, which would only cost more. */
        BudgetExceededException(String reason) {
            super(reason, null, false, false);
        }

        /** Returns the exceeded limit and its cause. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }
}
