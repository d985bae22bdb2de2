package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;

/** Which protocol a server is spoken with: the key {@code protocol} of its section. */
public enum ProtocolChoice {
    /** What the server turns out to speak. */
    AUTO("auto"),
    /** A revision up to 2025-11-25; the server is not asked. */
    LEGACY("legacy"),
    /** Revision 2026-07-28 or an error. */
    MODERN("2026-07-28");

    private static final String KEY = "protocol";

    private final String text;

    ProtocolChoice(String text) {
        this.text = text;
    }

    /** As it is written in the configuration. */
    public String text() {
        return text;
    }

    /** Reads the key; {@code auto} where it is absent, save for a transport that knows only the legacy era. */
    static ProtocolChoice from(Settings settings, String type) {
        var otherwise = type.equals("sse") ? LEGACY : AUTO;
        var written = settings.text(KEY, otherwise.text);
        for (var choice : values()) {
            if (choice.text.equals(written)) {
                return choice;
            }
        }
        settings.reject(KEY, "'auto', 'legacy' or '2026-07-28'");
        return otherwise;
    }
}
