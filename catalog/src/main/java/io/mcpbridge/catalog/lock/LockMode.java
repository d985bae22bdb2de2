package io.mcpbridge.catalog.lock;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What happens to tools that are not defined as they were approved. */
public enum LockMode {
    /** Clients neither see nor call them. */
    ENFORCE,
    /** Operators are told of them. */
    WARN,
    /** Nothing is compared. */
    OFF;

    /** As it is written in the configuration. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<LockMode> of(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(LockMode::text).toList();
    }
}
