package io.mcpbridge.catalog.schema;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The regular expressions of one schema, whose matching ends when it has looked at as many characters as one check may.
 * Any thread.
 */
final class BoundedPatterns implements RegularExpressionFactory {
    private final Allowances allowances;

    BoundedPatterns(Allowances allowances) {
        this.allowances = allowances;
    }

    @Override
    public RegularExpression getRegularExpression(String regex) {
        var pattern = compile(regex);
        return value -> matches(pattern, value);
    }

    /** A refusal quotes the pattern as the schema has it, and not as it is written for Java. */
    private static Pattern compile(String regex) {
        try {
            // As the library translates what JavaScript writes otherwise than Java.
            return CountedPattern.compile(RegularExpressions.replaceLongformCharacterProperties(
                    RegularExpressions.replaceDollarAnchors(regex)));
        } catch (PatternSyntaxException refused) {
            throw new PatternSyntaxException(refused.getDescription(), regex, -1);
        }
    }

    /** An empty text gets a character in front of it to look at, which is not part of what may match. */
    private boolean matches(Pattern pattern, String value) {
        if (!value.isEmpty()) {
            return pattern.matcher(new Looked(value, allowances.current())).find();
        }
        return pattern.matcher(new Looked("\n", allowances.current()))
                .region(1, 1)
                .useTransparentBounds(true)
                .find();
    }

    /** A text that counts how often it is looked at. */
    private record Looked(CharSequence text, Allowances.Allowance allowance) implements CharSequence {

        @Override
        public char charAt(int index) {
            allowance.lookAtCharacter();
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Looked(text.subSequence(start, end), allowance);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
