package io.mcpbridge.cli;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds arguments that have not come as they were written: of bytes that the encoding of the locale does not have, as all
 * beyond ASCII in the locale {@code C}, Java makes U+FFFD, and a tool would be called with that.
 */
final class LostCharacters {
    private static final char REPLACEMENT = '\uFFFD';

    private LostCharacters() {}

    /** What is wrong with the arguments, and what would be right, in an encoding; empty if they can be trusted. */
    static Optional<String> in(String[] arguments, String encoding) {
        if (encoding.equals("UTF-8")) {
            return Optional.empty();
        }
        return IntStream.range(0, arguments.length)
                .filter(i -> arguments[i].indexOf(REPLACEMENT) >= 0)
                .mapToObj(i ->
                        "argument %d holds characters that cannot be read in %s, the encoding of the locale; use one of UTF-8, such as LC_ALL=C.UTF-8"
                                .formatted(i + 1, encoding))
                .findFirst();
    }
}
