package io.mcpbridge.internal.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Era;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K6: what the protocol demands of the definition of a tool. */
class DefinitionRulesTest {
    private static final String OBJECT = "\"inputSchema\":{\"type\":\"object\"}";

    @ParameterizedTest(name = "K6: {0} violates the protocol")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"title\":\"t\" | it has no 'inputSchema', which must be an object",
                "\"inputSchema\":null | 'inputSchema' is null but must be an object",
                "\"inputSchema\":[] | 'inputSchema' is [] but must be an object",
                "\"inputSchema\":\"object\" | 'inputSchema' is \"object\" but must be an object",
                "\"inputSchema\":true | 'inputSchema' is true but must be an object",
                "\"inputSchema\":{} | 'inputSchema/type' is missing but must be \"object\"",
                "\"inputSchema\":{\"type\":\"string\"} | 'inputSchema/type' is \"string\" but must be \"object\"",
                "\"inputSchema\":{\"type\":[\"object\"]} | 'inputSchema/type' is [\"object\"] but must be \"object\"",
                "\"inputSchema\":{\"type\":\"object\",\"properties\":[]} | 'inputSchema/properties' is []",
                "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":1}} | 'inputSchema/properties/a' is 1",
                "\"inputSchema\":{\"type\":\"object\",\"required\":\"a\"} | 'inputSchema/required' is \"a\" but must"
                        + " be an array of texts",
                "\"inputSchema\":{\"type\":\"object\",\"required\":[1]} | 'inputSchema/required' is [1]",
                "\"inputSchema\":{\"type\":\"object\",\"$schema\":1} | 'inputSchema/$schema' is 1 but must be a text",
            })
    void k6InputSchemaMustDescribeAnObject(String members, String words) {
        for (var era : Era.values()) {
            assertThat(tool(members).flaw(era)).get().asString().startsWith(words);
        }
    }

    @ParameterizedTest(name = "K6: {0} violates the protocol")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"outputSchema\":[] | 'outputSchema' is [] but must be an object",
                "\"outputSchema\":true | 'outputSchema' is true but must be an object",
                "\"title\":5 | 'title' is 5 but must be a text",
                "\"description\":[\"a\"] | 'description' is [\"a\"] but must be a text",
                "\"annotations\":[] | 'annotations' is [] but must be an object",
                "\"annotations\":{\"readOnlyHint\":\"yes\"} | 'annotations/readOnlyHint' is \"yes\" but must be true"
                        + " or false",
                "\"annotations\":{\"title\":1} | 'annotations/title' is 1 but must be a text",
                "\"icons\":{} | 'icons' is {} but must be an array",
                "\"icons\":[{}] | 'icons/icon/src' is missing but must be a text",
                "\"icons\":[7] | 'icons/icon' is 7 but must be an object",
                "\"icons\":[{\"src\":\"s\",\"theme\":\"blue\"}] | 'icons/icon/theme' is \"blue\"",
                "\"icons\":[{\"src\":\"s\",\"sizes\":\"any\"}] | 'icons/icon/sizes' is \"any\" but must be an array of"
                        + " texts",
                "\"execution\":\"task\" | 'execution' is \"task\" but must be an object",
                "\"execution\":{\"taskSupport\":true} | 'execution/taskSupport' is true",
                "\"_meta\":[] | '_meta' is [] but must be an object",
            })
    void k6MemberOfTheWrongTypeIsAFlaw(String members, String words) {
        for (var era : Era.values()) {
            assertThat(tool(OBJECT + "," + members).flaw(era)).get().asString().startsWith(words);
        }
    }

    @Test
    void k6OnlyTheLegacyEraRequiresObjectResults() {
        var list = tool(OBJECT + ",\"outputSchema\":{\"type\":\"array\"}");

        assertThat(list.flaw(Era.MODERN)).isEmpty();
        assertThat(list.flaw(Era.LEGACY)).contains("'outputSchema/type' is \"array\" but must be \"object\"");
    }

    @ParameterizedTest(name = "K6: {0} violates the protocol")
    @ValueSource(strings = {"\"properties\":[]", "\"properties\":{\"a\":5}", "\"required\":\"a\"", "\"$schema\":1"})
    void k6ObjectResultSchemasAreCheckedInBothEras(String keyword) {
        var described = tool(OBJECT + ",\"outputSchema\":{\"type\":\"object\"," + keyword + "}");

        for (var era : Era.values()) {
            assertThat(described.flaw(era)).get().asString().startsWith("'outputSchema/");
        }
    }

    @ParameterizedTest(name = "K6: {0} is the same value")
    @ValueSource(
            strings = {
                "\"outputSchema\":{\"type\":\"obj\\u0065ct\"}",
                "\"icons\":[{\"src\":\"s\",\"theme\":\"d\\u0061rk\"}]",
                "\"execution\":{\"taskSupport\":\"opt\\u0069onal\"}",
            })
    void k6ValuesAreDecodedBeforeTheyAreCompared(String member) {
        var tool = tool("\"inputSchema\":{\"type\":\"\\u006fbject\"}," + member);

        for (var era : Era.values()) {
            assertThat(tool.flaw(era)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void validDefinitionIsUnchanged(Era era) {
        var json =
                "{\"title\":\"T\",\"name\":\"n\",\"inputSchema\":{\"properties\":{\"a\":{\"const\":null}},\"type\":\"object\","
                        + "\"required\":[\"a\"],\"additionalProperties\":false},\"outputSchema\":{\"type\":\"object\"},"
                        + "\"annotations\":{\"readOnlyHint\":true,\"own\":1},\"icons\":[{\"src\":\"i\",\"theme\":\"dark\",\"sizes\":[\"any\"]}],"
                        + "\"execution\":{\"taskSupport\":\"optional\"},\"_meta\":{\"x\":null},\"ownMember\":null}";
        var tool = ToolDefinition.parse(json);

        assertThat(tool.flaw(era)).isEmpty();
        assertThat(tool.mended(era)).isSameAs(tool);
        assertThat(tool.json().text()).isEqualTo(json);
    }

    @Test
    void nullMembersWithoutMeaningAreRemoved() {
        var tool = tool("\"title\":null," + OBJECT
                + ",\"outputSchema\":null,\"annotations\":{\"title\":null,\"readOnlyHint\":true},\"mine\":null");

        assertThat(tool.mended(Era.MODERN).json().text())
                .isEqualTo("{\"name\":\"n\"," + OBJECT + ",\"annotations\":{\"readOnlyHint\":true},\"mine\":null}");
        assertThat(tool.mended(Era.MODERN).flaw(Era.MODERN)).isEmpty();
    }

    @ParameterizedTest(name = "{0} becomes {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"outputSchema\":{\"type\":\"object\",\"$schema\":null,\"properties\":null,\"default\":null}"
                        + " | \"outputSchema\":{\"type\":\"object\",\"default\":null}",
                "\"icons\":[{\"src\":\"s\",\"mimeType\":null,\"sizes\":null,\"theme\":null}] |"
                        + " \"icons\":[{\"src\":\"s\"}]",
                "\"execution\":{\"taskSupport\":null,\"own\":null} | \"execution\":{\"own\":null}",
            })
    void nestedNullMembersAreRemovedToo(String members, String mended) {
        for (var era : Era.values()) {
            var tool = tool("\"inputSchema\":{\"type\":\"object\",\"required\":null}," + members)
                    .mended(era);

            assertThat(tool.json().text()).isEqualTo("{\"name\":\"n\"," + OBJECT + "," + mended + "}");
            assertThat(tool.flaw(era)).isEmpty();
        }
    }

    @Test
    void booleanPropertySchemaBecomesAnObjectInTheLegacyEra() {
        var tool = tool("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":false,\"c\":{}}}");

        assertThat(tool.mended(Era.LEGACY).inputSchema().map(Json::text))
                .contains("{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{\"not\":{}},\"c\":{}}}");
        assertThat(tool.mended(Era.MODERN)).isSameAs(tool);
        assertThat(tool.flaw(Era.MODERN)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"title\":\"%s\"", "\"annotations\":\"%s\""})
    void quotedValuesAreTruncated(String member) {
        var flaw = tool(OBJECT + "," + member.formatted("x".repeat(500))).flaw(Era.LEGACY);

        assertThat(flaw.orElse("")).hasSizeLessThan(120);
    }

    private static ToolDefinition tool(String members) {
        return ToolDefinition.parse("{\"name\":\"n\"," + members + "}");
    }
}
