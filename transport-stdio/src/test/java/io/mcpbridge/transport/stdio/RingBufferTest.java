package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RingBufferTest {
    private final ChildStderr.RingBuffer tail = new ChildStderr.RingBuffer(4);

    @Test
    void whatFitsIsKept() {
        assertThat(kept("a", "bcd")).isEqualTo("abcd");
    }

    @Test
    void theOldestGoesFirst() {
        assertThat(kept("abc", "de")).isEqualTo("bcde");
    }

    @Test
    void onlyTheEndOfALongPieceIsKept() {
        assertThat(kept("a", "bcdefghij")).isEqualTo("ghij");
    }

    @Test
    void nothingIsKeptOfNothing() {
        assertThat(kept()).isEmpty();
    }

    private String kept(String... pieces) {
        for (var piece : pieces) {
            tail.add(piece.getBytes(UTF_8), piece.length());
        }
        return new String(tail.bytes(), UTF_8);
    }
}
