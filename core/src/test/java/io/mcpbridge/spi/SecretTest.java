package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTest {

    @Test
    void secretIsNotShown() {
        assertThat(Secret.of("geheim")).hasToString("***");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "http://u:geheim@a.example/,          http://***@a.example/",
        "http://geheim@a.example/mcp,         http://***@a.example/mcp",
        "htp://u:ge/h@eim@a.example/,         htp://***@a.example/",
        "http://u:geheim@a b/,                http://***@a b/",
        "http:/u:geheim@a.example,            http:/***@a.example",
        "http:u:geheim@a.example,             ***@a.example",
        "u:geheim@a.example/mcp,              ***@a.example/mcp",
        "https://a.example/mcp?key=geheim,    https://a.example/mcp?***",
        "https://u:x@a.example/?to=b@geheim,  https://***@a.example/?***",
        "https://a.example/mcp#key=geheim,    https://a.example/mcp#***",
        "https://u:x@a.example#geheim,        https://***@a.example#***",
        "http://geheim#x@a.example/,          http://***",
        "http://u:geheim?x@a.example/,        http://***",
        "https://a.example/mcp,               https://a.example/mcp",
        "5 seconds,                           5 seconds"
    })
    void secretPartsOfAUrlAreHidden(String text, String shown) {
        assertThat(Secret.hiddenIn(text)).isEqualTo(shown).doesNotContain("geheim");
    }
}
