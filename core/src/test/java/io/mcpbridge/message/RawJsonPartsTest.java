package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawJsonPartsTest {

    @Test
    void piecesAreKeptAsWritten() {
        assertThat(RawJsonParts.members(" { \"a\\u0062\" : 1.0 ,\"c\":{ \"d\":1,\"d\":2 } } "))
                .containsExactly(Map.entry("ab", "1.0"), Map.entry("c", "{ \"d\":1,\"d\":2 }"));
        assertThat(RawJsonParts.elements("[ 1.0 , {\"a\":[ ]},\"é\" ]")).containsExactly("1.0", "{\"a\":[ ]}", "\"é\"");
        assertThat(RawJsonParts.members("{}")).isEmpty();
        assertThat(RawJsonParts.elements(" [ ] ")).isEmpty();
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
        assertThatThrownBy(() -> RawJsonParts.members(json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest(name = "{0} is not an array")
    @ValueSource(strings = {"{}", "null", "[1 2]", "[1,]", "[1", "[]]", ""})
    void nonArrayIsRejected(String json) {
        assertThatThrownBy(() -> RawJsonParts.elements(json)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void onlyTheFirstElementsAreRead() {
        assertThat(RawJsonParts.firstElements("[1,2]", 3)).containsExactly("1", "2");
        assertThat(RawJsonParts.firstElements("[1,2]", 2)).containsExactly("1", "2");
        assertThat(RawJsonParts.firstElements("[1,2,no JSON", 2)).containsExactly("1", "2");
    }

    @Test
    void firstMatchWins() {
        assertThat(RawJsonParts.firstText("{\"name\":1,\"name\":\"a\",\"name\":\"b\"}", "name"))
                .contains("a");
        assertThat(RawJsonParts.firstText("{\"names\":\"a\"}", "name")).isEmpty();
        assertThat(RawJsonParts.firstText("[\"name\"]", "name")).isEmpty();
    }
}
