package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSplitterTest {

    @Test
    void piecesAreKeptAsWritten() {
        assertThat(JsonSplitter.members(" { \"a\\u0062\" : 1.0 ,\"c\":{ \"d\":1,\"d\":2 } } "))
                .containsExactly(Map.entry("ab", "1.0"), Map.entry("c", "{ \"d\":1,\"d\":2 }"));
        assertThat(JsonSplitter.elements("[ 1.0 , {\"a\":[ ]},\"é\" ]")).containsExactly("1.0", "{\"a\":[ ]}", "\"é\"");
        assertThat(JsonSplitter.members("{}")).isEmpty();
        assertThat(JsonSplitter.elements(" [ ] ")).isEmpty();
    }

    @ParameterizedTest(name = "{0} is not an object")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | expected an object but found []",
                "{\"a\":1,\"a\":2} | The key 'a' stands twice",
                "{} {} | Found '{}'",
            })
    void nonObjectIsRejected(String json, String why) {
        assertThatThrownBy(() -> JsonSplitter.members(json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest(name = "{0} is not an array")
    @ValueSource(strings = {"{}", "null", "[1 2]", "[1,]", "[1", "[]]", ""})
    void nonArrayIsRejected(String json) {
        assertThatThrownBy(() -> JsonSplitter.elements(json)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void onlyTheFirstElementsAreRead() {
        assertThat(JsonSplitter.firstElements("[1,2]", 3)).containsExactly("1", "2");
        assertThat(JsonSplitter.firstElements("[1,2]", 2)).containsExactly("1", "2");
        assertThat(JsonSplitter.firstElements("[1,2,no JSON", 2)).containsExactly("1", "2");
    }

    @Test
    void firstMatchWins() {
        assertThat(JsonSplitter.firstText("{\"name\":1,\"name\":\"a\",\"name\":\"b\"}", "name"))
                .contains("a");
        assertThat(JsonSplitter.firstText("{\"names\":\"a\"}", "name")).isEmpty();
        assertThat(JsonSplitter.firstText("[\"name\"]", "name")).isEmpty();
    }
}
