package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.util.Map;

/**
 * How much of each list of one server is taken; the rest is left out, and shows in the server's status.
 *
 * @param items elements of all pages together
 * @param bytes how long they may be together
 */
public record ListLimits(int items, int bytes) {
    static final String ITEMS = "list-items";
    static final String BYTES = "list-bytes";

    /** 1,000 elements and 4 MiB. */
    public static final ListLimits DEFAULTS = new ListLimits(1_000, 4 << 20);

    /** For one server alone, which may be a bridge that has the lists of many. */
    public static final ListLimits ALONE = new ListLimits(100_000, 64 << 20);

    static ListLimits from(Settings settings) {
        return new ListLimits(
                positive(settings, ITEMS, settings.integer(ITEMS, DEFAULTS.items)),
                positive(settings, BYTES, settings.bytes(BYTES, DEFAULTS.bytes)));
    }

    /** The keys of a server's section that say the same. */
    public Map<String, Object> keys() {
        return Map.of(ITEMS, items, BYTES, bytes + "B");
    }

    private static int positive(Settings settings, String key, int value) {
        if (value > 0) {
            return value;
        }
        settings.reject(key, "greater than zero");
        return 1;
    }

    /** What an operator is told of a list that was cut, such as {@code tools}. */
    public String words(String server, String list) {
        return "server '%s' lists more %s than the limits '%s' (%d) and '%s' (%d) allow; the rest is left out"
                .formatted(server, list, ITEMS, items, BYTES, bytes);
    }
}
