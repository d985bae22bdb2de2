package io.mcpbridge.spi;

/** Makes audit sinks of one kind, such as {@code file} or {@code noop}. */
public interface AuditSinkProvider extends Provider {

    /**
     * Opens a sink, which the caller closes; may block on the storage of the records.
     *
     * @param settings the {@code audit} section
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong or the storage cannot be used
     */
    AuditSink open(Settings settings, Environment environment);

    /**
     * Validates the whole section for a configuration check, and opens nothing, because another process may use the
     * storage. The keys {@code sink} and {@code mode} have already been read.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    void check(Settings settings);
}
