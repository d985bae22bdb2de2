package io.mcpbridge.audit.file;

import io.mcpbridge.spi.Settings;
import java.util.regex.Pattern;

/** Reads sizes of files, which are larger than those of messages: {@code 512KiB}, {@code 64MB}, {@code 10GB}. */
final class Sizes {
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,8})(B|KB|KiB|MB|MiB|GB|GiB|TB|TiB)");

    private Sizes() {}

    /** The size at a key; what is none is noted there. */
    static long read(Settings settings, String key, long otherwise) {
        var text = settings.text(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        var parts = SIZE.matcher(text.get());
        if (!parts.matches()) {
            settings.reject(key, "a size such as 64MB or 10GB");
            return otherwise;
        }
        return Long.parseLong(parts.group(1)) * unit(parts.group(2));
    }

    private static long unit(String word) {
        var base = word.endsWith("iB") ? 1024L : 1000L;
        return switch (word.charAt(0)) {
            case 'K' -> base;
            case 'M' -> base * base;
            case 'G' -> base * base * base;
            case 'T' -> base * base * base * base;
            default -> 1;
        };
    }
}
