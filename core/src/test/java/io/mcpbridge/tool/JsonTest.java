package io.mcpbridge.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void textIsKeptByteForByte() {
        assertThat(Json.parse(" {\"a\" : 1.10}").text()).isEqualTo(" {\"a\" : 1.10}");
    }

    @Test
    void objectIsReadAsPlainValues() {
        var json = Json.parse("{\"a\":1,\"b\":1.10,\"c\":[true,null],\"d\":{\"e\":\"f\"}}");

        assertThat(json.asMap())
                .containsEntry("a", 1L)
                .containsEntry("b", new BigDecimal("1.10"))
                .containsEntry("c", Arrays.asList(true, null))
                .containsEntry("d", Map.of("e", "f"));
    }

    @Test
    void mapIsACopy() {
        var json = Json.parse("{\"a\":1}");

        json.asMap().clear();

        assertThat(json.asMap()).containsEntry("a", 1L);
    }

    @Test
    void plainValuesAreWritten() {
        assertThat(Json.of(Map.of("a", List.of(1, "b", false))).text()).isEqualTo("{\"a\":[1,\"b\",false]}");
        assertThat(Json.of("a\"b")).isEqualTo(Json.parse("\"a\\\"b\""));
        assertThatThrownBy(() -> Json.of(new Object())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest(name = "{0} is not JSON")
    @ValueSource(strings = {"", "{", "{} {}", "{\"a\":1,\"a\":2}", "nothing", "1e2147483648", "100e2147483647"})
    void invalidTextIsRejected(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest(name = "{0} is not an object")
    @ValueSource(strings = {"[]", "1", "\"a\"", "null"})
    void nonObjectHasNoMap(String text) {
        var json = Json.parse(text);

        assertThatThrownBy(json::asMap)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("it is JSON, but not an object");
        assertThat(json.member("a")).isEmpty();
    }

    @Test
    void partsAreReadOrAbsent() {
        var json = Json.parse("{\"text\":\"\\u0061\",\"number\":2e0,\"list\":[1,{}],\"nothing\":null,\"flag\":true}");

        assertThat(json.member("text").flatMap(Json::asString)).hasValue("a");
        assertThat(json.member("text").flatMap(Json::asNumber)).isEmpty();
        assertThat(json.member("number").flatMap(Json::asNumber)).hasValue(new BigDecimal("2e0"));
        assertThat(json.member("number").flatMap(Json::asString)).isEmpty();
        assertThat(json.member("list").orElseThrow().elements()).containsExactly(Json.of(1), Json.parse("{}"));
        assertThat(json.member("flag").orElseThrow().isTrue()).isTrue();
        assertThat(json.member("flag").orElseThrow().elements()).isEmpty();
        assertThat(json.member("nothing")).isEmpty();
        assertThat(json.member("missing")).isEmpty();
    }

    @Test
    void duplicateKeyInReceivedTextLeavesMembersAbsent() {
        var received = Json.ofChecked("{\"a\":1,\"a\":2}");

        assertThat(received.member("a")).isEmpty();
        assertThatThrownBy(received::asMap).isInstanceOf(ProtocolException.class);
    }

    @Test
    void nullIsAValue() {
        assertThat(Json.parse("null").value()).isNull();
    }
}
