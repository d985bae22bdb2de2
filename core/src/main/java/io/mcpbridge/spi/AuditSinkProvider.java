package io.mcpbridge.spi;

/** Makes audit sinks of one kind, such as {@code file} or {@code noop}. */
public interface AuditSinkProvider extends Provider {

    /**
     * Opens a sink, which the caller closes; may wait for the place where records go.
     *
     * @param settings the {@code audit} section
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong or the place cannot be used
     */
    AuditSink open(Settings settings, Environment environment);

    /**
     * Reads the section to its last key and opens nothing, for a configuration that is only checked: the place may be in
     * use. The keys {@code sink} and {@code mode} have been read by then.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    void check(Settings settings);
}
