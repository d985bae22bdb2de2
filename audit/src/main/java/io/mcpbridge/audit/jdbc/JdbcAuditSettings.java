package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;

/**
 * What an {@code audit} section says of a trail in a database.
 *
 * @param url of the database, {@code jdbc:postgresql:…} or {@code jdbc:sqlite:…}
 * @param user of the database; empty where it needs none
 * @param password of that user; empty where it needs none
 * @param trail which trail is written, and how
 */
public record JdbcAuditSettings(Secret url, String user, Secret password, TrailSettings trail) {

    public JdbcAuditSettings {
        new Refusals()
                .unless(
                        url.reveal().startsWith("jdbc:"),
                        "url",
                        Secret.hiddenIn(url.reveal()),
                        "the address of a database, such as 'jdbc:postgresql://db.example/audit'")
                .throwIfAny();
    }

    /**
     * Reads an {@code audit} section, whose keys for records and stages are read elsewhere.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    public static JdbcAuditSettings from(Settings settings) {
        settings.ignore("sink", "mode", "mirror");
        var url = settings.requiredText("url");
        var user = settings.text("user", "");
        var password = settings.text("password", "");
        var trail = settings.noting(() -> TrailSettings.read(settings), TrailSettings.DEFAULTS);
        return settings.finish(() -> new JdbcAuditSettings(Secret.of(url), user, Secret.of(password), trail));
    }

    /** The address as a message may show it. */
    String shownUrl() {
        return Secret.hiddenIn(url.reveal());
    }
}
