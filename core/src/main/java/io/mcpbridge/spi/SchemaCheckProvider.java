package io.mcpbridge.spi;

/** Makes checks from JSON Schemas, such as {@code json-schema}. */
public interface SchemaCheckProvider extends Provider {

    /**
     * Makes the check of one schema. Rejects a schema with a rule that it cannot check.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the schema is invalid, or has a rule that cannot be
     *     checked; the message quotes it
     */
    SchemaCheck compile(String schemaJson);
}
