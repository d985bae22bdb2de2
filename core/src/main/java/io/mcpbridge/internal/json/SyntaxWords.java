package io.mcpbridge.internal.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Says what is wrong with a document in words of people who write JSON, rather than in those of its parser. */
final class SyntaxWords {
    private static final Pattern PLACE = Pattern.compile("\\[Source: [^\\]]*line: (\\d+), column: (\\d+)]");
    private static final Map<Pattern, String> WORDS = words();

    private SyntaxWords() {}

    /** The sentence for what the parser said; what is not known here stays, without names of the parser's classes. */
    static String of(String said) {
        var words = PLACE.matcher(said).replaceAll("line $1, column $2");
        for (var each : WORDS.entrySet()) {
            words = each.getKey().matcher(words).replaceAll(each.getValue());
        }
        return words;
    }

    /** In the order in which they are replaced: each as far as it is found. */
    private static Map<Pattern, String> words() {
        var words = new LinkedHashMap<Pattern, String>();
        put(words, " \\(code 65279[^)]*\\)\\): .*", "): a byte order mark stands there; save the file without one");
        put(words, " \\(code \\d+[^)]*\\)(?=\\))", "");
        put(words, "^Unexpected character \\((.*?)\\)( in numeric value)?: ", "unexpected $1: ");
        put(words, "^unexpected '\uFEFF'\\)?", "unexpected character");
        put(words, "expected a (valid )?value( \\(JSON String.*)?$", "a value is missing or not in quotes");
        put(words, "^Unrecognized token ('.*?'): .*", "$1 is no value; put texts in double quotes");
        put(words, "^Non-standard token ('.*?'): .*", "$1 is no value");
        put(words, "was expecting double-quote to start field name", "a key in double quotes should stand there");
        put(words, "was expecting a colon.*", "a colon should stand between a key and its value");
        put(words, "was expecting comma to separate \\w+ entries", "a comma is missing before it");
        put(words, "^Duplicate field ('.*')", "the key $1 stands there twice");
        put(
                words,
                "^Unexpected end-of-input: expected close marker for (\\w+) \\(start marker at (.*?)\\)",
                "the document ends, but what begins at $2 is not closed");
        put(words, "^Unexpected end-of-input: was expecting closing quote.*", "the text has no closing quote");
        put(words, "^Unexpected end-of-input.*", "the document ends too early");
        put(
                words,
                "^Unexpected close marker ('.'): expected ('.') \\(for \\w+ starting at (.*?)\\)",
                "found $1 but $2 should close what begins at $3");
        put(words, "^Unexpected close marker ('.'): .*", "$1 closes nothing");
        put(words, "^Illegal unquoted character .*code 10\\).*", "the text has no closing quote before the line ends");
        put(
                words,
                "^Illegal unquoted character .*code (\\d+)\\).*",
                "a text holds the control character $1; write it as \\\\u and four digits");
        put(words, "^Unrecognized character escape (\\S+).*", "there is no escape of a backslash and $1");
        put(words, "JSON spec does not allow numbers to have plus signs.*", "numbers have no plus sign");
        put(words, ", from `[^`]*`\\)", ")");
        put(words, ":? enable `[^`]*`.*", "");
        return words;
    }

    private static void put(Map<Pattern, String> words, String said, String better) {
        words.put(Pattern.compile(said, Pattern.DOTALL), better);
    }
}
