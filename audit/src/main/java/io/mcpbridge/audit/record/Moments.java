package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.audit.internal.json.Digits;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes times of RFC 3339 in UTC to the microsecond; of one second, all but the fraction once. One thread at a time. */
final class Moments {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final int FRACTION_DIGITS = 6;
    private static final int NANOS_OF_MICRO = 1_000;

    private long second = Long.MIN_VALUE;
    private byte[] text = {};

    String text(Instant time) {
        if (time.getEpochSecond() != second) {
            text = (SECONDS.format(time) + ".000000Z").getBytes(ISO_8859_1);
            second = time.getEpochSecond();
        }
        Digits.write(time.getNano() / NANOS_OF_MICRO, text, text.length - FRACTION_DIGITS - 1, FRACTION_DIGITS);
        return new String(text, ISO_8859_1);
    }
}
