package io.mcpbridge.sandbox.worker.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.sandbox.worker.internal.frame.Frame.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

    private static byte[] bytes(Frame frame) throws IOException {
        var out = new ByteArrayOutputStream();
        frame.writeTo(out);
        return out.toByteArray();
    }

    private static Frame frame(String payload) {
        return new Frame(Kind.DONE, 77, ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    private static void refuses(byte[] bytes, String why) {
        assertThatThrownBy(() -> Frame.readFrom(new ByteArrayInputStream(bytes), 100))
                .isInstanceOf(BadFrameException.class)
                .hasMessageContaining(why);
    }

    private static @Nullable Object again(@Nullable Object value) throws BadFrameException {
        return new ValueReader(new ValueWriter(1 << 20).value(value).written()).value();
    }

    @Test
    void framesAreReadAsTheyWereWritten() throws IOException {
        var in = new ByteArrayInputStream(bytes(frame("payload")));

        assertThat(Frame.readFrom(in, 100)).contains(frame("payload"));
        assertThat(Frame.readFrom(in, 100)).isEmpty();
    }

    @Test
    void whatIsNoFrameIsRefused() throws IOException {
        var whole = bytes(frame("payload"));

        refuses("Hello, world".getBytes(StandardCharsets.UTF_8), "no frame");
        refuses(Arrays.copyOf(whole, 5), "no frame");
        refuses(Arrays.copyOf(whole, whole.length - 1), "in the middle of a frame");
        refuses(bytes(frame("x".repeat(101))), "100 are the most");
        whole[8] = 99;
        refuses(whole, "unknown kind 99");
        whole[7] = 1;
        refuses(whole, "a frame of 1 bytes");
    }

    @Test
    void valuesAreReadAsTheyWereWritten() throws BadFrameException {
        assertThat(again(null)).isNull();
        assertThat(again(List.of(true, false, 1, (short) 2, 3L, 'c', Kind.DONE)))
                .isEqualTo(List.of(true, false, 1L, 2L, 3L, "c", "DONE"));
        assertThat(again(new BigDecimal("1E+5"))).isEqualTo(new BigDecimal("1E+5"));
        assertThat(again(BigInteger.TEN.pow(30))).isEqualTo(new BigDecimal(BigInteger.TEN.pow(30)));
        assertThat(again(1.5f)).isEqualTo(1.5);
        assertThat(again(Map.of("key", List.of(Map.of())))).isEqualTo(Map.of("key", List.of(Map.of())));
        assertThat(again("x".repeat(5_000))).isEqualTo("x".repeat(5_000));
    }

    @Test
    void valuesHaveBounds() {
        assertThatThrownBy(() -> new ValueWriter(100).value("x".repeat(101))).isInstanceOf(FullException.class);
        assertThatThrownBy(() -> again(new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class java.lang.Object");
    }

    @Test
    void numbersOfAThousandDigitsAreReadAsTheyWereWritten() throws BadFrameException {
        for (var number : new String[] {"9".repeat(1_000), "-1." + "7".repeat(999), "1E+999", "1E-1000"}) {
            assertThat(again(new BigDecimal(number))).isEqualTo(new BigDecimal(number));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1E+1001", "-1E-1002", "1E+2000000000", "1E-2000000000"})
    void numbersWithLargeExponentsAreNeitherWrittenNorRead(String number) {
        assertThatThrownBy(() -> again(new BigDecimal(number)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 1000 digits");
        assertThatThrownBy(() -> read(number)).isInstanceOf(BadFrameException.class);
    }

    @Test
    void numbersOfMillionsOfDigitsAreNeitherWrittenNorRead() {
        assertThatThrownBy(() -> again(BigInteger.ONE.shiftLeft(50_000_000)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> again(BigInteger.TEN.pow(1_000))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read("7".repeat(4_000_000)))
                .isInstanceOf(BadFrameException.class)
                .hasMessage("a number that is too long or too large");
        assertThatThrownBy(() -> read("7".repeat(1_001))).isInstanceOf(BadFrameException.class);
    }

    /** Reads a number that somebody wrote who heeds no bounds. */
    private static @Nullable Object read(String number) throws BadFrameException {
        var written = new ValueWriter(8 << 20).value(number).written();
        return new ValueReader(written.put(0, (byte) 5)).value();
    }

    @ParameterizedTest
    @ValueSource(bytes = {3, 4, 5, 6, 7, 8, 9, -1})
    void valueThatBreaksOffIsRefused(byte tag) {
        assertThatThrownBy(() -> new ValueReader(ByteBuffer.wrap(new byte[] {tag, 0, 0})).value())
                .isInstanceOf(BadFrameException.class);
    }

    @Test
    void valueThatClaimsMoreThanItHasIsRefused() {
        var claim = ByteBuffer.allocate(5).put((byte) 7).putInt(1_000_000_000).flip();

        assertThatThrownBy(() -> new ValueReader(claim).value()).hasMessageContaining("1000000000 elements in 0 bytes");
    }

    @Test
    void valueThatIsNestedWithoutEndIsRefused() {
        var nested = ByteBuffer.allocate(5 * 1_000);
        while (nested.hasRemaining()) {
            nested.put((byte) 7).putInt(1);
        }

        assertThatThrownBy(() -> new ValueReader(nested.flip()).value()).hasMessageContaining("nested too deep");
    }

    @Test
    void anyBytesAreAValueOrRefused() {
        var random = new Random(42);
        var bytes = new byte[64];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(bytes);
            bytes[0] = (byte) (i % 10);
            bytes[1] = 0;
            bytes[2] = 0;
            try {
                new ValueReader(ByteBuffer.wrap(bytes)).value();
            } catch (BadFrameException refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void ordersAndReportsAreReadAsTheyWereWritten() throws BadFrameException {
        var order = new Order("a.Tool", "tool", "id", 5, 6, Map.of("a", 1L));
        var report = new Report(7, "a thread", List.of("x"));

        assertThat(Order.read(order.written())).isEqualTo(order);
        assertThat(Report.read(report.written(100))).isEqualTo(report);
        assertThatThrownBy(() -> Order.read(ByteBuffer.allocate(2))).isInstanceOf(BadFrameException.class);
        assertThatThrownBy(() -> Report.read(ByteBuffer.allocate(2))).isInstanceOf(BadFrameException.class);
    }
}
