package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** The format of log lines. */
class LogLineFormatterTest {

    @Test
    void messageIsOneEscapedLine() {
        var line = format(new LogRecord(Level.WARNING, "[mcp-bridge] a\nb\u001b[2J\u202e\0"));

        assertThat(line).endsWith(" WARNING [mcp-bridge] a | b\\u{1b}[2J\\u{202e}\\u{0}" + System.lineSeparator());
        assertThat(line).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3} (?s).*");
    }

    @Test
    void exceptionMessagesAreOneLineEach() {
        var entry = new LogRecord(Level.SEVERE, "failed");
        var cause = new IllegalStateException("cause\r\n\tat forged.Frame");
        var thrown = new IllegalArgumentException("outer\n2026-01-01T00:00:00.000 INFO forged", cause);
        thrown.addSuppressed(new IllegalStateException("beside\u001b"));
        entry.setThrown(thrown);

        assertThat(format(entry).lines())
                .contains("java.lang.IllegalArgumentException: outer | 2026-01-01T00:00:00.000 INFO forged")
                .contains("Caused by: java.lang.IllegalStateException: cause |  at forged.Frame")
                .contains("\tSuppressed: java.lang.IllegalStateException: beside\\u{1b}")
                .anyMatch(line -> line.startsWith("\tat " + getClass().getName()));
    }

    @Test
    void cyclicCausesAreFormattedOnce() {
        var one = new IllegalStateException("one");
        var two = new IllegalStateException("two", one);
        one.initCause(two);
        var entry = new LogRecord(Level.SEVERE, "failed");
        entry.setThrown(one);

        assertThat(format(entry).lines().filter(line -> line.contains("Exception: ")))
                .hasSize(2);
    }

    @Test
    void longMessagesAreTruncated() {
        assertThat(format(new LogRecord(Level.INFO, "x".repeat(1_000_000)))).hasSizeLessThan(20_000);
    }

    private static String format(LogRecord entry) {
        return new Logging.LogLineFormatter().format(entry);
    }
}
