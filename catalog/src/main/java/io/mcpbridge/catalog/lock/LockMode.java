package io.mcpbridge.catalog.lock;

import java.util.Locale;

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
}
