package io.mcpbridge.failure;

import java.util.List;
import java.util.stream.Collectors;

/** A setting, a variable or an argument is missing or wrong; carries every mistake found, not only the first. */
public final class ConfigurationException extends BridgeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    private ConfigurationException(List<String> problems, Failure failure) {
        super(failure);
        this.problems = problems;
    }

    /** One mistake, described in one sentence. */
    public static ConfigurationException of(String problem) {
        return ofAll(List.of(problem));
    }

    /** Several mistakes, each described in one sentence. */
    public static ConfigurationException ofAll(List<String> problems) {
        var copy = List.copyOf(problems);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("a ConfigurationException needs at least one problem");
        }
        var message = copy.size() == 1
                ? copy.get(0)
                : copy.stream()
                        .map(line -> "\n  - " + line)
                        .collect(Collectors.joining("", copy.size() + " mistakes:", ""));
        return new ConfigurationException(copy, Failure.of(ErrorCode.BAD_CONFIGURATION, message));
    }

    /** The mistakes, in the order in which they were found. */
    public List<String> problems() {
        return problems;
    }
}
