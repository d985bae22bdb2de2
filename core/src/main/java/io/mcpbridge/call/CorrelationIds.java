package io.mcpbridge.call;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Mints correlation ids: 16 hexadecimal digits, unique for all that matters and no secret. */
public final class CorrelationIds {

    private CorrelationIds() {}

    public static String next(RandomGenerator random) {
        return HexFormat.of().toHexDigits(random.nextLong());
    }
}
