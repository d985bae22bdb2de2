package io.mcpbridge.catalog.lock;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The treatment of tools whose definitions are not approved. */
public enum LockMode {
    /** Clients neither see nor call them. */
    ENFORCE,
    /** They are findings for operators. */
    WARN,
    /** Definitions are not compared. */
    OFF;

    /** The spelling in the configuration. */
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
