package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A call of a tool that repeats its text. A number in its id and in its text, another one each time, tells its answer
 * from all others. Not thread-safe.
 */
final class EchoCall {
    private static final String NUMBER = "000000000";
    private static final String JSON =
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{%s}}}";
    /** Where an answer is searched for the number, from either end. */
    private static final int NEAR = 1_024;

    private static final int LEAST = 100_000_000;
    private static final int NUMBERS = 800_000_000;

    private final byte[] request;
    private final int idAt;
    private final int textAt;
    private final byte[] id = bytes("\"id\":" + NUMBER);
    private final byte[] text = bytes(NUMBER + " round");
    private final int produced;
    private int number = LEAST + ThreadLocalRandom.current().nextInt(NUMBERS);

    private EchoCall(String request, int produced) {
        this.request = bytes(request);
        this.idAt = request.indexOf(NUMBER);
        this.textAt = request.lastIndexOf(NUMBER);
        this.produced = produced;
    }

    /** A call of about 300 bytes; {@code argument} names the text. */
    static EchoCall of(String tool, String argument) {
        return of(tool, argument, Payload.TEXT);
    }

    /** A call with a text that needs no escape in JSON. */
    static EchoCall of(String tool, String argument, String text) {
        return new EchoCall(JSON.formatted(NUMBER, tool, "\"%s\":\"%s %s\"".formatted(argument, NUMBER, text)), 0);
    }

    /** A call that a {@link Peer} answers with this many bytes more. */
    static EchoCall producing(String tool, int bytes) {
        return new EchoCall(
                JSON.formatted(NUMBER, tool, "\"bytes\":%d,\"text\":\"%s round\"".formatted(bytes, NUMBER)), bytes);
    }

    /** The same call after {@code head}, in which {@code %d} is the length, and before {@code tail}. */
    EchoCall framed(String head, String tail) {
        var json = new String(request, ISO_8859_1);
        return new EchoCall(head.formatted(json.length()) + json + tail, produced);
    }

    /** The bytes of a new call. */
    ByteBuffer next() {
        var digits = bytes(Integer.toString(++number));
        System.arraycopy(digits, 0, request, idAt, digits.length);
        System.arraycopy(digits, 0, request, textAt, digits.length);
        System.arraycopy(digits, 0, id, id.length - digits.length, digits.length);
        System.arraycopy(digits, 0, text, 0, digits.length);
        return ByteBuffer.wrap(request);
    }

    /** The number of the last call. */
    int number() {
        return number;
    }

    /** Whether the first {@code length} bytes hold the whole answer of the last call. */
    boolean isAnsweredBy(byte[] answer, int length) {
        return length > produced && isNear(answer, length, id) && isNear(answer, length, text);
    }

    /** Whether the first {@code length} bytes have {@code wanted} near either end. */
    static boolean isNear(byte[] in, int length, byte[] wanted) {
        return isBetween(in, 0, Math.min(NEAR, length), wanted)
                || isBetween(in, Math.max(0, length - NEAR), length, wanted);
    }

    private static boolean isBetween(byte[] in, int from, int to, byte[] wanted) {
        for (int i = from; i + wanted.length <= to; i++) {
            if (in[i] == wanted[0] && Arrays.equals(in, i, i + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
