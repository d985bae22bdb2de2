package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import org.junit.jupiter.api.Test;

class WordsTest {

    @Test
    void blanksPartWords() {
        assertThat(Words.of("  npx -y\tserver ")).containsExactly("npx", "-y", "server");
    }

    @Test
    void quotesKeepWordsTogether() {
        assertThat(Words.of("run 'a b' \"c 'd'\" '' e'f g'")).containsExactly("run", "a b", "c 'd'", "", "ef g");
    }

    @Test
    void aQuoteThatIsNotClosedIsRefused() {
        assertThatThrownBy(() -> Words.of("run 'a b"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("run 'a b")
                .hasMessageContaining("not closed");
    }

    @Test
    void nothingIsNoProgram() {
        assertThatThrownBy(() -> Words.of("  ")).isInstanceOf(ConfigurationException.class);
    }
}
