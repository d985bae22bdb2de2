package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;

/**
 * The limits of each list of one server. The bridge omits elements beyond them and adds a remark to the server's
 * status.
 *
 * @param items elements of all pages together
 * @param bytes size of all elements together
 * @param ttl time after which the list is fetched again if the server sends no changes; zero for never
 */
public record ListLimits(int items, int bytes, Duration ttl) {
    static final String ITEMS = "list-items";
    static final String BYTES = "list-bytes";
    static final String TTL = "list-ttl";

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    /** 1,000 elements and 4 MiB. */
    public static final ListLimits DEFAULTS = new ListLimits(1_000, 4 << 20, Duration.ZERO);

    /** The limits for a connection to one server, which may be a bridge with the lists of many servers. */
    public static final ListLimits ALONE = new ListLimits(100_000, 64 << 20, Duration.ZERO);

    static ListLimits from(Settings settings) {
        return new ListLimits(
                positive(settings, ITEMS, settings.integer(ITEMS, DEFAULTS.items)),
                positive(settings, BYTES, settings.bytes(BYTES, DEFAULTS.bytes)),
                ttl(settings));
    }

    private static Duration ttl(Settings settings) {
        return settings.duration(TTL)
                .filter(ttl -> settings.require(
                        ttl.compareTo(SHORTEST) >= 0 && ttl.compareTo(LONGEST) <= 0, TTL, "from 1s to 24h"))
                .orElse(Duration.ZERO);
    }

    /** Whether the list is fetched again without a change notification. */
    public boolean expires() {
        return !ttl.isZero();
    }

    /** Returns the limits as keys of a server's section. */
    public Map<String, Object> keys() {
        return Map.of(ITEMS, items, BYTES, bytes + "B");
    }

    private static int positive(Settings settings, String key, int value) {
        return settings.require(value > 0, key, "greater than zero") ? value : 1;
    }

    /** Returns the remark about a list that was cut, such as {@code tools}. */
    public String words(String server, String list) {
        return "server '%s' lists more %s than the limits '%s' (%d) and '%s' (%d) allow; the rest is left out"
                .formatted(server, list, ITEMS, items, BYTES, bytes);
    }

    /** Returns the remark about an element that is longer than the limit of the whole list. */
    public String wordsForOne(int length) {
        return "it has %d characters, more than '%s' (%d) allows for the whole list".formatted(length, BYTES, bytes);
    }
}
