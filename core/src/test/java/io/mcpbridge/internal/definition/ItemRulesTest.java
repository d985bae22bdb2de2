package io.mcpbridge.internal.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** K6: what the protocol demands of resources, their templates and prompts. */
class ItemRulesTest {

    @ParameterizedTest(name = "K6: {0} {1} violates the protocol")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "RESOURCE | {\"name\":\"n\"} | 'uri' is missing but must be a text",
                "RESOURCE | {\"uri\":7,\"name\":\"n\"} | 'uri' is 7 but must be a text",
                "RESOURCE | {\"uri\":\"a:b\"} | 'name' is missing but must be a text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":null} | 'name' is null but must be a text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"mimeType\":1} | 'mimeType' is 1 but must be a text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"size\":\"1\"} | 'size' is \"1\" but must be a number",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"title\":[]} | 'title' is [] but must be a text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"description\":{}} | 'description' is {} but must be a"
                        + " text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"_meta\":1} | '_meta' is 1 but must be an object",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"icons\":{}} | 'icons' is {} but must be an array",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"icons\":[{}]} | 'icons/icon/src' is missing but must be"
                        + " a text",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"annotations\":[]} | 'annotations' is [] but must be an"
                        + " object",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"annotations\":{\"audience\":[\"dog\"]}} |"
                        + " 'annotations/audience' is [\"dog\"] but must be an array of \"user\" and \"assistant\"",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"annotations\":{\"priority\":2}} | 'annotations/priority'"
                        + " is 2 but must be a number from 0 to 1",
                "RESOURCE | {\"uri\":\"a:b\",\"name\":\"n\",\"description\":\"\\ud800\"} | 'description' writes a"
                        + " surrogate",
                "RESOURCE_TEMPLATE | {\"name\":\"n\"} | 'uriTemplate' is missing but must be a text",
                "RESOURCE_TEMPLATE | {\"uriTemplate\":\"a:{b}\"} | 'name' is missing but must be a text",
                "PROMPT | {\"title\":\"t\"} | 'name' is missing but must be a text",
                "PROMPT | {\"name\":\"n\",\"arguments\":{}} | 'arguments' is {} but must be an array",
                "PROMPT | {\"name\":\"n\",\"arguments\":[\"a\"]} | 'arguments/argument' is \"a\" but must be an object",
                "PROMPT | {\"name\":\"n\",\"arguments\":[{}]} | 'arguments/argument/name' is missing but must be a"
                        + " text",
                "PROMPT | {\"name\":\"n\",\"arguments\":[{\"name\":\"a\",\"required\":\"yes\"}]} |"
                        + " 'arguments/argument/required' is \"yes\" but must be true or false",
            })
    void k6ProtocolViolationIsReported(ItemRules kind, String json, String words) {
        assertThat(kind.flaw(json)).get().asString().startsWith(words);
    }

    @ParameterizedTest(name = "K6: {0} {1} conforms to the protocol")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "RESOURCE |"
                        + " {\"uri\":\"a:b\",\"name\":\"\",\"size\":1e3,\"annotations\":{\"audience\":[\"user\"],\"priority\":0.5},"
                        + "\"own\":[null]}",
                "RESOURCE_TEMPLATE |"
                        + " {\"uriTemplate\":\"a:{b}\",\"name\":\"n\",\"mimeType\":\"text/plain\",\"_meta\":{}}",
                "PROMPT | {\"name\":\"no rule for"
                        + " names\",\"arguments\":[{\"name\":\"a\",\"required\":true}],\"icons\":[]}",
            })
    void k6ValidItemHasNoFlaw(ItemRules kind, String json) {
        assertThat(kind.flaw(json)).isEmpty();
        assertThat(kind.mended(json)).isEqualTo(json);
    }

    @Test
    void k6OptionalNullMembersAreRemoved() {
        assertThat(
                        ItemRules.PROMPT.mended(
                                "{\"name\":\"n\",\"title\":null,\"arguments\":[{\"name\":\"a\",\"required\":null}],\"own\":null}"))
                .isEqualTo("{\"name\":\"n\",\"arguments\":[{\"name\":\"a\"}],\"own\":null}");
        assertThat(ItemRules.RESOURCE.mended(
                        "{\"uri\":\"a:b\",\"name\":null,\"size\":null,\"annotations\":{\"audience\":null}}"))
                .isEqualTo("{\"uri\":\"a:b\",\"name\":null,\"annotations\":{}}");
        assertThat(ItemRules.PROMPT.mended("{\"name\":\"n\",\"arguments\":null}"))
                .isEqualTo("{\"name\":\"n\"}");
    }

    @Test
    void k6DuplicateKeyIsRejected() {
        assertThatThrownBy(() -> ItemRules.PROMPT.flaw("{\"name\":\"a\",\"name\":\"b\"}"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the key 'name' stands there twice");
    }
}
