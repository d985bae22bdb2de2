package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSplitterTest {

    private final List<String> frames = new ArrayList<>();

    private FrameSplitter reader = new FrameSplitter(Limits.CLIENT);

    @Test
    void frameExcludesItsLineEnd() {
        feed("one\ntwo\r\nthree\n");

        assertThat(frames).containsExactly("one", "two", "three");
        assertThat(reader.isInsideFrame()).isFalse();
    }

    @Test
    void framesDoNotDependOnReadBoundaries() {
        String stream = "\n{\"a\":1}\r\n\r\nlonger than eight \u20ac\nbare\rreturn\n\n\r\r\nx\n";

        for (int i = 0; i <= stream.length(); i++) {
            for (int j = i; j <= stream.length(); j++) {
                frames.clear();
                reader = new FrameSplitter(Limits.CLIENT);
                feed(stream.substring(0, i), stream.substring(i, j), stream.substring(j));

                assertThat(frames).containsExactly("{\"a\":1}", "longer than eight \u20ac", "bare\rreturn", "\r", "x");
                assertThat(reader.isInsideFrame()).isFalse();
            }
        }
    }

    @Test
    void directBufferIsReadLikeAHeapBuffer() {
        var buffer = ByteBuffer.allocateDirect(100)
                .put("first\nsecond\nthi".getBytes(UTF_8))
                .flip();

        reader.feed(buffer, this::note);

        assertThat(frames).containsExactly("first", "second");
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(reader.isInsideFrame()).isTrue();
    }

    @Test
    void failingSinkLeavesTheRestInTheBuffer() {
        var buffer = ByteBuffer.wrap("bad\ngood\n".getBytes(UTF_8));

        assertThatThrownBy(() -> reader.feed(buffer, frame -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        reader.feed(buffer, this::note);

        assertThat(frames).containsExactly("good");
    }

    @Test
    void largeFrameInManyReadsArrivesWhole() {
        String part = "0123456789".repeat(1000);

        for (int i = 0; i < 100; i++) {
            feed(part);
        }
        feed("\nsmall\n");

        assertThat(frames).containsExactly(part.repeat(100), "small");
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {65_535, 65_536, 131_071, 131_072})
    void lineEndMayFollowAFullPiece(int length) {
        feed("x".repeat(length) + "\r", "\nsmall\n");

        assertThat(frames).containsExactly("x".repeat(length), "small");
    }

    @Nested
    class A1TooLarge {

        @Test
        void frameOfTheLimitIsAcceptedWithEitherLineEnd() {
            reader = new FrameSplitter(Limits.CLIENT.withMaxBytes(5));

            feed("12345\n", "12345\r\n", "12345", "\r", "\n");

            assertThat(frames).containsExactly("12345", "12345", "12345");
        }

        @Test
        void frameBeyondTheLimitIsRejectedBeforeItEnds() {
            reader = new FrameSplitter(Limits.CLIENT.withMaxBytes(5));
            feed("12", "345");

            var refusal = catchThrowableOfType(ProtocolException.class, () -> feed("6"));

            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(refusal).hasMessageContaining("too_large").hasMessageContaining("client-frame is 5");
        }

        @Test
        void carriageReturnInsideAFrameCounts() {
            reader = new FrameSplitter(Limits.CLIENT.withMaxBytes(5));
            feed("12345\r");

            assertThatThrownBy(() -> feed("6")).isInstanceOf(ProtocolException.class);
        }

        @Test
        void brokenStreamStaysBroken() {
            reader = new FrameSplitter(Limits.CLIENT.withMaxBytes(5));
            assertThatThrownBy(() -> feed("123456\n")).isInstanceOf(ProtocolException.class);

            assertThatThrownBy(() -> feed("ok\n"))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("too_large");
            assertThat(frames).isEmpty();
        }
    }

    @Nested
    class A11PrettyPrinted {

        @Test
        void eachLineIsAFrame() {
            feed("{\n\"id\":1\n}\n");

            assertThat(frames).containsExactly("{", "\"id\":1", "}");
        }
    }

    @Nested
    class A12LineEnds {

        @Test
        void otherUnicodeLineEndsArePartOfAFrame() {
            feed("a\u2028b\u2029c\u0085d\re\u000bf\n");

            assertThat(frames).containsExactly("a\u2028b\u2029c\u0085d\re\u000bf");
        }
    }

    @Nested
    class A13PartialLastLine {

        @Test
        void partialLastLineIsWithheldAndDetected() {
            feed("whole\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}");

            assertThat(frames).containsExactly("whole");
            assertThat(reader.isInsideFrame()).isTrue();
        }
    }

    private void feed(String... reads) {
        for (String read : reads) {
            reader.feed(ByteBuffer.wrap(read.getBytes(UTF_8)), this::note);
        }
    }

    private void note(byte[] frame) {
        frames.add(new String(frame, UTF_8));
    }
}
