package io.mcpbridge.spi;

/** Makes retry policies of one kind, such as {@code exponential}, {@code safe} or {@code none}. */
public interface RetryPolicyProvider extends Provider {

    /**
     * Makes a policy.
     *
     * @param settings the {@code retry} section
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    RetryPolicy create(Settings settings, Environment environment);
}
