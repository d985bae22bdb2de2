package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import org.junit.jupiter.api.Test;

class CommandLineSplitterTest {

    @Test
    void spacesSeparateWords() {
        assertThat(TargetOptions.CommandLineSplitter.of("  npx -y\tserver ")).containsExactly("npx", "-y", "server");
    }

    @Test
    void quotesKeepWordsTogether() {
        assertThat(TargetOptions.CommandLineSplitter.of("run 'a b' \"c 'd'\" '' e'f g'"))
                .containsExactly("run", "a b", "c 'd'", "", "ef g");
    }

    @Test
    void unclosedQuoteIsRejected() {
        assertThatThrownBy(() -> TargetOptions.CommandLineSplitter.of("run 'a b"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("run 'a b")
                .hasMessageContaining("not closed");
    }

    @Test
    void emptyCommandIsRejected() {
        assertThatThrownBy(() -> TargetOptions.CommandLineSplitter.of("  ")).isInstanceOf(ConfigurationException.class);
    }
}
