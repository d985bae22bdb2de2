package io.mcpbridge.cli;

import io.mcpbridge.failure.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/** Splits a command line at its blanks, except within single or double quotes. No shell is involved. */
final class Words {

    private static final char NONE = 0;

    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private char quote = NONE;
    private boolean isWord;

    private Words() {}

    static List<String> of(String line) {
        var splitter = new Words();
        line.chars().forEach(c -> splitter.take((char) c));
        splitter.endWord();
        return splitter.checked(line);
    }

    private void take(char c) {
        if (quote != NONE) {
            quoted(c);
        } else if (c == '\'' || c == '"') {
            quote = c;
            isWord = true;
        } else if (Character.isWhitespace(c)) {
            endWord();
        } else {
            word.append(c);
            isWord = true;
        }
    }

    private void quoted(char c) {
        if (c == quote) {
            quote = NONE;
        } else {
            word.append(c);
        }
    }

    private void endWord() {
        if (isWord) {
            words.add(word.toString());
            word.setLength(0);
            isWord = false;
        }
    }

    private List<String> checked(String line) {
        if (quote != NONE) {
            throw ConfigurationException.of("the command line '%s' has a %c that is not closed".formatted(line, quote));
        }
        if (words.isEmpty()) {
            throw ConfigurationException.of("the command line '%s' names no program".formatted(line));
        }
        return words;
    }
}
