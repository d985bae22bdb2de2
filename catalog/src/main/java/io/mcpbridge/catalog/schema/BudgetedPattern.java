package io.mcpbridge.catalog.schema;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import io.mcpbridge.catalog.schema.BudgetedCheck.BudgetExceededException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of a schema. Each look at a character is a visit of the check that runs on this thread, so that
 * matching ends with the budget of the check. Any thread.
 */
record BudgetedPattern(Pattern pattern) implements RegularExpression {
    private static final int MAX_CHARACTERS = 20_000;

    /**
     * Compiles a pattern as the library does, which rewrites what JavaScript and Java spell differently.
     *
     * @throws PatternSyntaxException if it is no pattern; quotes it as the schema has it
     */
    static BudgetedPattern compile(String regex) {
        try {
            var ofJava = RegularExpressions.replaceLongformCharacterProperties(
                    RegularExpressions.replaceDollarAnchors(regex));
            if (ofJava.length() > MAX_CHARACTERS) {
                throw new BudgetExceededException(
                        "a pattern has %,d characters but may have %,d".formatted(ofJava.length(), MAX_CHARACTERS));
            }
            return new BudgetedPattern(Pattern.compile(new Writer(ofJava).write()));
        } catch (PatternSyntaxException malformed) {
            throw new PatternSyntaxException(malformed.getDescription(), regex, -1);
        }
    }

    /** Puts a character before an empty text, outside of the region that may match, so that there is one to look at. */
    @Override
    public boolean matches(String value) {
        if (!value.isEmpty()) {
            return pattern.matcher(new CountedText(value, BudgetedCheck.current()))
                    .find();
        }
        return pattern.matcher(new CountedText("\n", BudgetedCheck.current()))
                .region(1, 1)
                .useTransparentBounds(true)
                .find();
    }

    /** A text that counts each look at one of its characters. */
    private record CountedText(CharSequence text, BudgetedCheck check) implements CharSequence {
        @Override
        public char charAt(int index) {
            check.visit(BudgetedCheck.VISITS_PER_PATTERN_CHARACTER);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new CountedText(text.subSequence(start, end), check);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /**
     * Rewrites a pattern so that matching looks at a character wherever it can loop: in each round of a group, in each
     * alternative, and after every few parts of a sequence. Otherwise Java's engine runs through {@code (?:){9999}}, or
     * {@code (?:|)} thirty times in a row, without a look at a character, and the look cannot be counted.
     *
     * <p>The result matches the same texts. One use, one thread.
     */
    private static final class Writer {
        /**
         * Always true, and looks at the characters on both sides. A choice would make the engine recursive, so it has
         * none.
         */
        private static final String LOOK = "(?!(?<!(?s:.)(?!))(?s:.)(?!))";

        private static final int PARTS_WITHOUT_A_LOOK = 16;

        private static final Pattern GROUP =
                Pattern.compile("\\((?:\\?(?:[:=!>]|<[=!]|<[a-zA-Z][a-zA-Z0-9]*>|([a-zA-Z-]*)[:)]))?");
        private static final Pattern ESCAPE = Pattern.compile(
                "\\\\(?:[pPN]\\{[^}]*\\}|[pP].|x\\{[^}]*\\}|x[0-9a-fA-F]{2}|(?:u[0-9a-fA-F]{4})(?:\\\\u[0-9a-fA-F]{4})?"
                        + "|c.|k<[^>]*>|b\\{g\\}|0[0-7]{1,3}|[1-9][0-9]*|.)",
                Pattern.DOTALL);
        private static final Pattern QUANTIFIER = Pattern.compile("(?:[*+?]|\\{[0-9]+(?:,[0-9]*)?\\})[?+]?");
        private static final Pattern LOOKS_AT_NOTHING = Pattern.compile("[\\^$]|\\\\(?:[bBAzZG].*|k<.*|[1-9].*)");

        private final String regex;
        private final StringBuilder written = new StringBuilder();
        private final Deque<String> endings = new ArrayDeque<>();
        private int at;
        private int parts;

        private Writer(String regex) {
            this.regex = regex;
        }

        private String write() {
            look();
            while (at < regex.length()) {
                writeNext();
            }
            return written.toString();
        }

        private void writeNext() {
            switch (regex.charAt(at)) {
                case '(' -> writeGroup();
                case ')' -> {
                    written.append(regex.charAt(at++)).append(endings.isEmpty() ? "" : endings.pop());
                    writeQuantifier();
                }
                case '|' -> {
                    written.append(regex.charAt(at++));
                    look();
                }
                case '*', '+', '?', '{' -> throw refused("there is nothing to repeat");
                case '[' -> writePart(characterClass());
                case '\\' -> writePart(escape());
                default -> writePart(character());
            }
        }

        private void look() {
            written.append(LOOK);
            parts = 0;
        }

        private void writeGroup() {
            var group = token(GROUP);
            var flags = group.group(1);
            if (flags != null && flags.contains("x")) {
                throw refused("the flag 'x' is not one of JSON Schema's");
            }
            if (group.group().endsWith(")")) {
                written.append(group.group());
                return;
            }
            // A lookbehind may fail before it looks at a character, so a repeated one gets a look in front of it.
            var looksBack = group.group().endsWith("<=") || group.group().endsWith("<!");
            written.append(looksBack ? "(?:" + LOOK : "").append(group.group());
            endings.push(looksBack ? ")" : "");
            look();
        }

        /** Writes a part. A repeated part that looks at no character gets a look. */
        private void writePart(String part) {
            if (++parts > PARTS_WITHOUT_A_LOOK) {
                look();
            }
            var repeated = at < regex.length() && "*+?{".indexOf(regex.charAt(at)) >= 0;
            if (repeated && LOOKS_AT_NOTHING.matcher(part).matches()) {
                written.append("(?:").append(LOOK).append(part).append(')');
            } else {
                written.append(part);
            }
            writeQuantifier();
        }

        private void writeQuantifier() {
            var quantifier = QUANTIFIER.matcher(regex).region(at, regex.length());
            if (quantifier.lookingAt()) {
                written.append(quantifier.group());
                at = quantifier.end();
            }
        }

        private String character() {
            int begin = at;
            at = regex.offsetByCodePoints(at, 1);
            return regex.substring(begin, at);
        }

        private String escape() {
            var escape = token(ESCAPE).group();
            if (escape.equals("\\Q")) {
                throw refused("'\\Q' is not one of JSON Schema's");
            }
            return escape;
        }

        /** As JavaScript reads it, where {@code [} and {@code &&} are nothing special in a class. */
        private String characterClass() {
            var negated = regex.startsWith("[^", at);
            at += negated ? 2 : 1;
            var members = new StringBuilder();
            while (at < regex.length() && regex.charAt(at) != ']') {
                var member = regex.charAt(at) == '\\' ? escape() : character();
                members.append(member.equals("[") || member.equals("&") ? "\\" + member : member);
            }
            if (at++ >= regex.length()) {
                throw refused("a '[' is not closed");
            }
            if (members.isEmpty()) {
                return negated ? "(?s:.)" : "(?!)";
            }
            return (negated ? "[^" : "[") + members + "]";
        }

        private Matcher token(Pattern kind) {
            var token = kind.matcher(regex).region(at, regex.length());
            if (!token.lookingAt()) {
                throw refused("this cannot be read");
            }
            at = token.end();
            return token;
        }

        private PatternSyntaxException refused(String why) {
            return new PatternSyntaxException(why, regex, at);
        }
    }
}
