package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a record has of texts that are longer than it looks through. */
class LargePayloadTest {
    private static final int HASHED = 1 << 20;
    private static final String LONG = "{\"text\":\"%s\"}".formatted("\u00e4 ".repeat(HASHED));

    private final AuditRecords records = TestRecords.at(RecordSettings.Level.RESULT);

    @Test
    void hashOfLongArgumentsCoversTheFirstMiBWithANote() {
        assertIsHashedInPart("arguments", Events.read(records.enter(Events.enter(LONG), Events.TIME)));
    }

    @Test
    void hashOfALongResultCoversTheFirstMiBWithANote() {
        assertIsHashedInPart("result", Events.read(Events.ended(records, Events.answered(LONG))));
    }

    private static void assertIsHashedInPart(String key, ParsedRecord record) {
        var utf8 = LONG.getBytes(UTF_8);
        var hash = TestRecords.KEY.hash().of(ByteBuffer.wrap(utf8, 0, HASHED));
        assertThat(record.number(key + "Hashed")).hasValue((long) HASHED);
        assertThat(record.number(key + "Size")).hasValue((long) utf8.length);
        assertThat(record.text(key + "Hash")).hasValue(hash);
        assertThat(record.text(key).orElseThrow()).startsWith("{\"text\":\"\u00e4 \u00e4");
        assertThat(record.data()).containsEntry("truncated", true);
    }

    @Test
    void hashOfOneMiBHasNoNote() {
        var arguments = "\"" + "x".repeat(HASHED - 2) + "\"";

        var record = Events.read(records.enter(Events.enter(arguments), Events.TIME));

        assertThat(record.number("argumentsHashed")).isEmpty();
        assertThat(record.text("argumentsHash")).hasValue(TestRecords.KEY.hash().of(arguments));
    }
}
