package io.mcpbridge.cli.trail;

import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A name in which {@code *} stands for anything. */
public final class NamePattern implements Predicate<String> {
    private final Pattern pattern;

    private NamePattern(Pattern pattern) {
        this.pattern = pattern;
    }

    public static NamePattern of(String text) {
        var parts = Arrays.stream(text.split("\\*", -1)).map(Pattern::quote);
        return new NamePattern(Pattern.compile(parts.collect(Collectors.joining(".*")), Pattern.DOTALL));
    }

    @Override
    public boolean test(String name) {
        return pattern.matcher(name).matches();
    }
}
