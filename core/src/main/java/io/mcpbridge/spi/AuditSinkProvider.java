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
}
