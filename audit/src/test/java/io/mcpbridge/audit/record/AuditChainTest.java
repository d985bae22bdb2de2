package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditChainTest {
    private static final Instant TIME = Instant.parse("2026-11-22T10:31:32.123456789Z");

    private final AuditRecords records = TestRecords.make();

    @Test
    void lineIsTheRecordWithItsHash() throws Exception {
        var body = records.note(new AuditNote("started", Map.of()), TIME);

        var line = AuditChain.start().append(body);

        var withoutHash = new byte[body.length()];
        body.write(1, ByteBuffer.wrap(withoutHash));
        var digest = MessageDigest.getInstance("SHA-256");
        digest.update(new byte[32]);
        var hash = HexFormat.of().formatHex(digest.digest(withoutHash));
        var text = new String(withoutHash, UTF_8);
        assertThat(new String(line, UTF_8))
                .isEqualTo(text.substring(0, text.length() - 1) + ",\"zhash\":\"" + hash + "\"}");
    }

    @Test
    void linesFormAChain() {
        var head = ChainHead.START;

        for (var line : lines(50)) {
            var read = ParsedRecord.parse(line);
            assertThat(read.faultAfter(head)).isEmpty();
            head = read.head();
        }

        assertThat(head.sequence()).isEqualTo(50);
    }

    @Test
    void chainContinuesAfterAnyHead() {
        var first = AuditChain.start();
        var last = ParsedRecord.parse(first.append(note(1)));

        var next = ParsedRecord.parse(AuditChain.after(first.head()).append(note(2)));

        assertThat(first.head()).isEqualTo(last.head());
        assertThat(next.sequence()).isEqualTo(2);
        assertThat(next.faultAfter(last.head())).isEmpty();
    }

    @Test
    void missingLineIsDetected() {
        var lines = lines(3);

        var fault = ParsedRecord.parse(lines.get(2))
                .faultAfter(ParsedRecord.parse(lines.get(0)).head());

        assertThat(fault).contains("its sequence is 3 but must be 2");
    }

    @Test
    void lineOfAnotherChainIsDetected() {
        var ours = lines(2);
        var foreign = AuditChain.start();
        foreign.append(note(7));

        var fault = ParsedRecord.parse(foreign.append(note(1)))
                .faultAfter(ParsedRecord.parse(ours.get(0)).head());

        assertThat(fault.orElseThrow()).contains("its hash is ").contains(" but must be ");
    }

    /** One bit of each byte, and each byte replaced by what stands for another digit. */
    @Test
    void oneChangedByteIsDetected() {
        var lines = lines(2);
        var before = ParsedRecord.parse(lines.get(0)).head();
        var line = lines.get(1);

        for (int at = 0; at < line.length; at++) {
            for (int mask : new int[] {1, 2, 4, 8, 16, 32, 64, 128}) {
                var changed = line.clone();
                changed[at] ^= (byte) mask;
                assertThat(isAccepted(changed, before))
                        .as("bit %d of byte %d", mask, at)
                        .isFalse();
            }
        }
    }

    @Test
    void addedOrRemovedByteIsDetected() {
        var text = new String(lines(1).get(0), UTF_8);

        for (int at = 0; at <= text.length(); at++) {
            var more = text.substring(0, at) + " " + text.substring(at);
            assertThat(isAccepted(more.getBytes(UTF_8), ChainHead.START)).isFalse();
            if (at < text.length()) {
                var less = text.substring(0, at) + text.substring(at + 1);
                assertThat(isAccepted(less.getBytes(UTF_8), ChainHead.START)).isFalse();
            }
        }
    }

    @Test
    void lineThatIsNotCanonicalIsRejected() {
        var text = new String(lines(1).get(0), UTF_8);

        assertThatThrownBy(() -> ParsedRecord.parse(
                        text.replace("\"specversion\"", " \"specversion\"").getBytes(UTF_8)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("not in the canonical form");
        assertThatThrownBy(() -> ParsedRecord.parse(new byte[] {'"', (byte) 0xFF, '"'}))
                .hasMessageContaining("not UTF-8");
        assertThatThrownBy(() -> ParsedRecord.parse("{\"zzz\":1}".getBytes(UTF_8)))
                .hasMessageContaining("'zzz'");
    }

    private static boolean isAccepted(byte[] line, ChainHead before) {
        try {
            return ParsedRecord.parse(line).faultAfter(before).isEmpty();
        } catch (ProtocolException refused) {
            return false;
        }
    }

    private List<byte[]> lines(int count) {
        var chain = AuditChain.start();
        var lines = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            lines.add(chain.append(note(i)));
        }
        return lines;
    }

    private RecordBody note(int number) {
        return records.note(new AuditNote("gap", Map.of("lost", String.valueOf(number), "words", "Grüße\n")), TIME);
    }
}
