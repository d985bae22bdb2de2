package io.mcpbridge.catalog.schema;

import com.networknt.schema.Error;
import io.mcpbridge.catalog.schema.Allowances.Allowance;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;

/**
 * Mistakes that are paid for when they are made, by the texts that they quote: what {@code if}, {@code not} and
 * {@code anyOf} throw away was as dear to make as what is told. Belongs to one check; one thread.
 */
final class ChargedErrors extends AbstractList<Error> {
    /** Making one is as dear as looking at so many values. */
    private static final long MISTAKE = 32;

    /** Quoting a rule is as dear as looking at one value for so many of its characters. */
    private static final int CHARACTERS = 4;

    private final List<Error> errors;
    private final Allowance allowance;

    ChargedErrors(List<Error> errors, Allowance allowance) {
        this.errors = errors;
        this.allowance = allowance;
    }

    @Override
    public Error get(int index) {
        return errors.get(index);
    }

    @Override
    public int size() {
        return errors.size();
    }

    @Override
    public void add(int index, Error error) {
        allowance.work(MISTAKE + quoted(error) / CHARACTERS);
        errors.add(index, error);
        allowance.mistakes(errors.size());
    }

    /** They were paid for where they were made. */
    @Override
    public boolean addAll(Collection<? extends Error> made) {
        allowance.work(made.size());
        var isChanged = errors.addAll(made);
        allowance.mistakes(errors.size());
        return isChanged;
    }

    @Override
    public Error remove(int index) {
        return errors.remove(index);
    }

    private static long quoted(Error error) {
        var arguments = error.getArguments();
        long characters = 0;
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            characters += arguments[i] instanceof String text ? text.length() : 0;
        }
        return characters;
    }
}
