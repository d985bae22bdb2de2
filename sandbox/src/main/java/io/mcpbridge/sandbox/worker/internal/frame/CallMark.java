package io.mcpbridge.sandbox.worker.internal.frame;

import java.nio.charset.StandardCharsets;

/** What a worker writes to standard error when a call begins, so that the words of the calls before it are told apart. */
public final class CallMark {

    private CallMark() {}

    /** That of a call; its first byte does not occur in it again. */
    public static byte[] of(long number) {
        return "\0[call %016x]\n".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }
}
