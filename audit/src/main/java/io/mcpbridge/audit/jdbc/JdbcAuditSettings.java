package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;

/**
 * The settings of a trail in a database.
 *
 * @param url the address of the database, {@code jdbc:postgresql:…} or {@code jdbc:sqlite:…}
 * @param user the user of the database; empty if it needs none
 * @param password the password of that user; empty if it needs none
 * @param trail the trail in that database
 */
record JdbcAuditSettings(Secret url, String user, Secret password, JdbcTrailSettings trail) {

    public JdbcAuditSettings {
        new MistakeCollector()
                .unless(
                        url.reveal().startsWith("jdbc:"),
                        "url",
                        Secret.hiddenIn(url.reveal()),
                        "the address of a database, such as 'jdbc:postgresql://db.example/audit'")
                .throwIfAny();
    }

    /**
     * Reads an {@code audit} section, except for its keys about records and stages.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    static JdbcAuditSettings from(Settings settings) {
        settings.ignore("sink", "mode", "mirror");
        var url = settings.requiredText("url");
        var user = settings.text("user", "");
        var password = settings.text("password", "");
        var trail = settings.noting(() -> JdbcTrailSettings.read(settings), JdbcTrailSettings.DEFAULTS);
        return settings.finish(() -> new JdbcAuditSettings(Secret.of(url), user, Secret.of(password), trail));
    }

    /** The URL without secrets, for messages. */
    String shownUrl() {
        return Secret.hiddenIn(url.reveal());
    }
}
