package io.mcpbridge.workers.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.workers.internal.frame.WorkerResponse.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerMessageTest {
    private static final int MAX_BYTES = 1 << 20;

    private static InputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static InputStream in(String text) {
        return in(text.getBytes(UTF_8));
    }

    private static byte[] response(@Nullable Object value) {
        return new WorkerResponse(Status.DONE, 77, 1, "", value).toLine(MAX_BYTES);
    }

    /** A response of a tool that heeds no bounds. */
    private static String responseWith(String value) {
        return "{\"status\":\"DONE\",\"id\":1,\"residentBytes\":1,\"leftBehind\":\"\",\"value\":%s}\n".formatted(value);
    }

    private static @Nullable Object again(@Nullable Object value) throws IOException {
        return WorkerResponse.read(in(response(value)), MAX_BYTES).orElseThrow().value();
    }

    private static void refuses(byte[] bytes, String why) {
        assertThatThrownBy(() -> WorkerResponse.read(in(bytes), 1_024))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(why);
    }

    private static void refuses(String text, String why) {
        refuses(text.getBytes(UTF_8), why);
    }

    @Test
    void requestsSurviveARoundTrip() throws IOException {
        var request = new WorkerRequest(
                Long.MIN_VALUE, "a.Tool", "tool", "id", 5, 6, Map.of("a", List.of(1L, new BigDecimal("1.50"))));
        var in = in(request.toLine());

        assertThat(WorkerRequest.read(in)).contains(request);
        assertThat(WorkerRequest.read(in)).isEmpty();
        assertThatThrownBy(() -> WorkerRequest.read(in("{}\n"))).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void responsesSurviveARoundTrip() throws IOException {
        var response = new WorkerResponse(Status.FAILED, Long.MAX_VALUE, 7, "a thread", "x");

        assertThat(WorkerResponse.read(in(response.toLine(10)), 1_024)).contains(response);
        assertThat(WorkerResponse.read(in(""), 10)).isEmpty();
        assertThat(WorkerResponse.read(in(WorkerResponse.STARTED.toLine(0)), 0)).contains(WorkerResponse.STARTED);
    }

    @Test
    void malformedMessageIsRejected() {
        var whole = response("payload");

        refuses("Hello, world", "no message");
        refuses("\0\0", "no message");
        refuses(Arrays.copyOf(whole, 5), "breaks off");
        refuses(Arrays.copyOf(whole, whole.length - 1), "breaks off");
        refuses("{}\n{}\n", "something behind a message");
        refuses("{]\n", "no JSON object");
        refuses("{}\n", "without the text");
        refuses("{\"status\":\"x\",\"id\":1,\"residentBytes\":1,\"leftBehind\":\"\"}\n", "unknown status");
        refuses(
                "{\"status\":\"DONE\",\"id\":1.5,\"residentBytes\":1,\"leftBehind\":\"\"}\n",
                "without the integer 'id'");
        refuses("{" + " ".repeat(40_000), "a message of more than 36864 bytes");
    }

    @Test
    void valuesKeepTheirMeaning() throws IOException {
        assertThat(again(null)).isNull();
        assertThat(again(List.of(true, false, 1, (short) 2, 3L, 'c', Status.DONE)))
                .isEqualTo(List.of(true, false, 1L, 2L, 3L, "c", "DONE"));
        assertThat(again(new BigDecimal("1E+5"))).isEqualTo(new BigDecimal("1E+5"));
        assertThat(again(new BigDecimal("1.50"))).isEqualTo(new BigDecimal("1.50"));
        assertThat(again(BigInteger.TEN.pow(30))).isEqualTo(new BigDecimal(BigInteger.TEN.pow(30)));
        assertThat(again(Long.MAX_VALUE)).isEqualTo(BigDecimal.valueOf(Long.MAX_VALUE));
        assertThat(again(1.5f)).isEqualTo(new BigDecimal("1.5"));
        assertThat(again(Map.of("key", List.of(Map.of())))).isEqualTo(Map.of("key", List.of(Map.of())));
        assertThat(again("x\n\u0000\uD83D\uDE00".repeat(5_000))).isEqualTo("x\n\u0000\uD83D\uDE00".repeat(5_000));
    }

    @Test
    void valuesAreLimited() throws IOException {
        var large = new WorkerResponse(Status.DONE, 1, 2, "", "x".repeat(99)).toLine(100);

        assertThat(WorkerResponse.read(in(large), 100).orElseThrow().status()).isEqualTo(Status.TOO_LARGE);
        assertThat(new WorkerResponse(Status.DONE, 1, 2, "", "x".repeat(98)).toLine(100))
                .isNotEqualTo(large);
        assertThat(new WorkerResponse(Status.DONE, 1, 2, "", "\u0001".repeat(98)).toLine(100))
                .isEqualTo(large);
        for (var unfit : new Object[] {new Object(), Double.NaN}) {
            assertThatThrownBy(() -> response(unfit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot return " + unfit.getClass());
        }
        assertThatThrownBy(() -> response(Map.of("n".repeat(50_001), 1))).hasMessageContaining("50001 characters");
    }

    @Test
    void numbersOfAThousandDigitsKeepTheirValue() throws IOException {
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
        assertThatThrownBy(() -> WorkerRequest.requireSendable(Map.of("n", new BigDecimal(number))))
                .isInstanceOf(IllegalArgumentException.class);
        refuses(responseWith(number), "a value that is refused");
    }

    @Test
    void numbersOfMillionsOfDigitsAreNeitherWrittenNorRead() {
        assertThatThrownBy(() -> again(BigInteger.ONE.shiftLeft(50_000_000)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> again(BigInteger.TEN.pow(1_000))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> WorkerResponse.read(in(responseWith("7".repeat(4_000_000))), 8 << 20))
                .isInstanceOf(MalformedMessageException.class);
        refuses(responseWith("7".repeat(1_001)), "no JSON object");
    }

    @Test
    void valueThatIsNestedTooDeeplyIsNeitherWrittenNorRead() {
        Object nested = "deepest";
        for (int i = 0; i < 257; i++) {
            nested = Collections.singletonList(nested);
        }
        var deep = nested;

        assertThatThrownBy(() -> response(deep)).hasMessageContaining("nested deeper than 256 levels");
        refuses(responseWith("[".repeat(257) + "]".repeat(257)), "a value that is refused");
        refuses(responseWith("[".repeat(15_000)), "no JSON object");
    }

    @Test
    void randomBytesAreRejectedWithAMessage() {
        var random = new Random(42);
        var bytes = new byte[64];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(bytes);
            bytes[0] = '{';
            bytes[63] = '\n';
            assertThatThrownBy(() -> WorkerResponse.read(in(bytes), 100))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageNotContaining("null");
        }
    }
}
