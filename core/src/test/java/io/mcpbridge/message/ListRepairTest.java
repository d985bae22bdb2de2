package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K6: what of a server's list cannot be read costs itself alone. Texts are bytes here, one a character. */
class ListRepairTest {
    private static final String FIRST = "{ \"name\" : \"first\", \"own\":1.0}";
    private static final String LAST = "{\"name\":\"last\",\"description\":\"}],\\\"{[\"}";

    @ParameterizedTest(name = "K6: {0} is left out alone")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\":\"bad\",\"description\":\"a\\x\"} | one of its escapes",
                "{\"name\":\"bad\",\"description\":\"a\\u12g4\"} | a hexadecimal digit",
                "{\"name\":\"bad\",\"description\":\"\u00ff\u00fe\"} | is not UTF-8",
                "{\"name\":\"bad\",\"description\":\"a\tb\"} | control characters escaped",
                "{\"name\":\"bad\",\"\\ud800\":1} | free of surrogates",
                "{\"name\":\"bad\",\"a\":01} | ',' or '}'",
                "{\"name\":\"bad\",\"a\":nul} | a value",
                "{\"name\":\"bad\",\"a\":[1,,2]} | a value",
                "{\"name\":\"bad\",} | a key in double quotes",
                "{\"a\":\\ud800,\"name\":\"bad\"} | a value",
            })
    void k6AnElementThatIsNoJsonIsLeftOutAlone(String element, String why) {
        var answer = scan(list("tools", FIRST + ",\n" + element + " ," + LAST));

        var blank = "null" + " ".repeat(element.length() - 4);
        assertThat(answer.raw(Part.RESULT))
                .contains("{\"tools\":[" + FIRST + ", " + blank + " ," + LAST + "],\"nextCursor\":null}");
        assertThat(answer.unreadable()).singleElement().satisfies(broken -> {
            assertThat(broken.list()).isEqualTo("tools");
            assertThat(broken.index()).isEqualTo(1);
            assertThat(broken.key()).isEqualTo("bad");
            assertThat(broken.why()).contains(why);
        });
    }

    @Test
    void k6AnElementThatNestsTooDeepIsLeftOutAlone() {
        var deep = "{\"name\":\"deep\",\"a\":%s1%s}";
        var most = deep.formatted("[".repeat(96), "]".repeat(96));
        var more = deep.formatted("[".repeat(97), "]".repeat(97));

        assertThat(scan(list("tools", most)).unreadable()).isEmpty();
        assertThat(scan(list("tools", most + "," + more)).unreadable())
                .containsExactly(new UnreadableElement(
                        "tools", 1, "deep", "The message nests 101 deep; the limit maxDepth is 100"));
    }

    @ParameterizedTest(name = "K6: {0} is found by its {1}")
    @CsvSource({"tools,name", "prompts,name", "resources,uri", "resourceTemplates,uriTemplate"})
    void k6EachListHasItsKey(String list, String key) {
        var answer = scan(list(list, "{\"x\":\"\\x\",\"%s\":\"it\"},{\"%s\":\"\\x\"},\"\\x\"".formatted(key, key)));

        assertThat(answer.unreadable().stream().map(UnreadableElement::key)).containsExactly("it", "", "");
        assertThat(answer.unreadable().stream().map(UnreadableElement::index)).containsExactly(0, 1, 2);
    }

    @Test
    void k6TheAnswerIsNoLongerThanItWas() {
        var json = list("tools", FIRST + ",x,xx,xxx,xxxx,xxxxx," + LAST);

        assertThat(scan(json, Limits.SERVER.withMaxBytes(json.length())).json())
                .isEqualTo(list("tools", FIRST + ",0,0 ,0  ,null,null ," + LAST));
    }

    @Test
    void k6AHundredElementsAreLeftOutAndNoMore() {
        var most = FIRST + ",x".repeat(ListRepair.MOST);

        assertThat(scan(list("tools", most)).unreadable()).hasSize(ListRepair.MOST);
        assertThatThrownBy(() -> scan(list("tools", most + ",y"))).hasMessageStartingWith("Found 'x,x,");
        assertThatThrownBy(() -> scan(list("tools", most + "],\"prompts\":[y"))).hasMessageStartingWith("Found 'x,x,");
    }

    @Test
    void k6TheElementsOfAListHaveTheTokensOfOneMessageTogether() {
        var tokens = Limits.SERVER.withMaxTokens(1_000);
        var few = list("tools", "1,".repeat(900) + "x");
        var many = list("tools", "\\" + ",[[1,1,\\]]".repeat(ListRepair.MOST - 1) + ",1".repeat(700));

        assertThat(scan(few, tokens).unreadable()).hasSize(1);
        assertThat(scan(many).unreadable()).hasSize(ListRepair.MOST);
        assertThatThrownBy(() -> scan(many, tokens)).hasMessageContaining("where JSON has a value");
    }

    @Test
    @Timeout(60)
    void k6AFrameOfNothingButBrokenElementsIsRefused() {
        var head = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":[x";
        var most = (Limits.SERVER.maxBytes() - head.length() - 3) / 2;

        assertThatThrownBy(() -> scan(head + ",x".repeat(most) + "]}}")).hasMessageStartingWith("Found 'x,x,");
    }

    @Test
    @Timeout(60)
    void k6ABrokenElementOfManyNamesIsNamedByItsFirst() {
        var names = "\"name\":\"\\x\",".repeat(1_000_000);

        assertThat(scan(list("tools", "{" + names + "\"name\":\"a\"}")).unreadable())
                .singleElement()
                .satisfies(broken -> assertThat(broken.key()).isEmpty());
    }

    @ParameterizedTest(name = "K6: a name of {0} bytes")
    @CsvSource({"1024, 1024", "1025, 0"})
    void k6ALongNameIsNotKept(int length, int kept) {
        var element = "{\"name\":\"%s\",\"a\":nul}".formatted("n".repeat(length));

        assertThat(scan(list("tools", element)).unreadable().get(0).key()).hasSize(kept);
    }

    @Test
    void k6TheIdMayStandBehindTheList() {
        var answer = scan("{\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[{\"a\":\"\\x\"}]},\"id\":7}");

        assertThat(answer.id()).contains(MessageId.of(7));
        assertThat(answer.unreadable()).hasSize(1);
    }

    @ParameterizedTest(name = "K6: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // A list that is not closed, brackets that do not fit, a text without its end.
                "\"result\":{\"tools\":[{\"a\":\"\\x\"}} | one of its escapes",
                "\"result\":{\"tools\":[{\"a\":[\"\\x\"}]} | one of its escapes",
                "\"result\":{\"tools\":[{\"a\":\"\\x}]} | one of its escapes",
                "\"result\":{\"tools\":[{\"a\":\"\\x\"} {}]} | one of its escapes",
                "\"result\":{\"tools\":[{\"a\":\"\\x\"},]} | one of its escapes",
                // What is around it is at fault too, and is what is told.
                "\"result\":{\"tools\":[{\"a\":\"\\x\"}],\"tools\":[]} | 'tools' at byte",
                "\"result\":{\"tools\":[{\"a\":\"\\x\"}],\"a\":nul} | Found 'nul",
                "\"result\":{\"tools\":[{\"a\":\"\\x\"}]},\"result\":{} | 'result' at byte",
                // Other answers have no such elements.
                "\"result\":{\"content\":[{\"a\":\"\\x\"}]} | one of its escapes",
                "\"params\":{\"tools\":[{\"a\":\"\\x\"}]},\"method\":\"x\" | one of its escapes",
                "\"result\":{\"content\":[],\"_meta\":7} | '_meta' is 7 but must be an object",
                "\"result\":{\"tools\":[],\"_meta\":7,\"_meta\":7} | '_meta' is 7 but must be an object",
                "\"error\":{\"code\":1,\"message\":\"\\x\"} | one of its escapes",
            })
    void k6AFlawOfTheFrameStaysTheFlawOfAll(String members, String why) {
        assertThatThrownBy(() -> scan("{\"jsonrpc\":\"2.0\",\"id\":7," + members + "}"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest(name = "K6: \"_meta\":{0} is left out alone")
    @ValueSource(strings = {"null", "7", "[]", "\"a\"", "nul", "[{\"_meta\":{}}]"})
    void k6AMetaThatIsNoObjectIsLeftOutAlone(String meta) {
        var result = "{\"_meta\":%s,\"tools\":[%s],\"nextCursor\":null}";
        var behind = "{\"tools\":[%s] , \"_meta\" : %s }";

        var answer = scan("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result.formatted(meta, FIRST) + "}");
        var another = scan("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + behind.formatted(FIRST, meta) + "}");

        assertThat(answer.has(Part.RESULT_META)).isFalse();
        assertThat(JsonPieces.members(answer.raw(Part.RESULT).orElseThrow()))
                .containsExactly(Map.entry("tools", "[" + FIRST + "]"), Map.entry("nextCursor", "null"));
        assertThat(JsonPieces.members(another.raw(Part.RESULT).orElseThrow()))
                .containsExactly(Map.entry("tools", "[" + FIRST + "]"));
        assertThat(answer.unreadable()).isEmpty();
    }

    @Test
    void k6AMetaAndAnElementAreLeftOutTogether() {
        var answer = scan("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":[" + FIRST + ",x],\"_meta\":7}}");

        assertThat(answer.raw(Part.RESULT).map(String::strip)).contains("{\"tools\":[" + FIRST + ",0]          }");
        assertThat(answer.unreadable()).hasSize(1);
    }

    @ParameterizedTest(name = "K6: {0} is as any message")
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":[{\"name\":\"a\"}]}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":7}"
            })
    void k6WhatCanBeReadIsAsItWas(String json) {
        assertThat(Message.scanOfServer(json.getBytes(ISO_8859_1), Limits.SERVER)
                        .json())
                .isEqualTo(json);
    }

    @Test
    void k6AListThatIsTooLargeIsNotLookedAt() {
        var json = list("tools", "{\"a\":\"\\x\"}").getBytes(ISO_8859_1);

        assertThatThrownBy(() -> Message.scanOfServer(json, Limits.SERVER.withMaxBytes(json.length - 1)))
                .hasMessageContaining("server-frame");
    }

    private static Response scan(String json) {
        return scan(json, Limits.SERVER);
    }

    private static Response scan(String json, Limits limits) {
        return (Response) Message.scanOfServer(json.getBytes(ISO_8859_1), limits);
    }

    private static String list(String member, String elements) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"%s\":[%s],\"nextCursor\":null}}"
                .formatted(member, elements);
    }
}
