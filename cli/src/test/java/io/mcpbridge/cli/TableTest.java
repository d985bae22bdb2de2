package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void columnsAreAligned() {
        var table = new Table("NAME", "STATE").row("a", "healthy").row("longer", "idle");

        assertThat(table.lines()).containsExactly("NAME    STATE", "a       healthy", "longer  idle");
    }

    @Test
    void terminalSequencesOfPeersAreEscaped() {
        var table = new Table("NAME").row("a\u001b[2Jb\u202ec\u200bd\n");

        assertThat(table.lines().get(1)).isEqualTo("a\\u{1b}[2Jb\\u{202e}c\\u{200b}d\\u{a}");
    }
}
