package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written so that it can be counted matches what was meant. */
class BudgetedPatternTest {
    private final JsonSchemaCheckProvider provider = new JsonSchemaCheckProvider();

    @ParameterizedTest(name = "{0} matches {1}, not {2}")
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '`',
            value = {
                "^[a-z]+$ abc a1",
                "^$ `` a",
                "^.{2,4}$ ab abcde",
                "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$ QUJD QUJ",
                "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$ 123e4567-e89b-12d3-a456-426614174000 123e4567",
                "^(?!.*--)[a-z-]+(?<!-)$ a-b a--b",
                "^(?!-)[a-z-]+(?<!-)$ a-b a-",
                "(?<=a)b ab cb",
                "(?<![^x])b b ab",
                "(.)\\1{2,} aaa aab",
                "(?<letter>[a-z])\\k<letter>+ aa ab",
                "^\\p{Letter}\\p{L}+\\pN$ äö1 ä1",
                "^\\u0041\\x42\\uD83D\\uDE00+$ AB😀😀 AB",
                "^[[]$ [ a",
                "^[^[\\]]+$ ab a[",
                "^[a&&b]+$ a&b c",
                "^[^]{2}$ ab a",
                "x[]|y y x",
                "^(?i)abc$ ABC ABD",
                "^(?i:a)b$ Ab AB",
                "\\bcat\\b `the cat` cats",
                "^a|b$ ax xa",
                "^(a|)(|b)c$ abc bac",
                "^aaaaaaaaaaaaaaaaaaaaaaaaa{2}$ aaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaa",
                "^\\d{1,3}(\\.\\d{1,3}){3}$ 10.0.0.1 10.0.0",
                "^(?>a+)b$ aab aac",
                "^a*?b+?c??$ aabb c",
                "^😀{2}$ 😀😀 😀",
            })
    void rewrittenPatternMatchesTheSameTexts(String pattern, String fits, String doesNot) {
        var check = provider.compile("{\"pattern\":\"%s\"}".formatted(pattern.replace("\\", "\\\\")));

        assertThat(check.issues("\"%s\"".formatted(fits))).isEmpty();
        assertThat(check.issues("\"%s\"".formatted(doesNot))).isNotEmpty();
    }
}
