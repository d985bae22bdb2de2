package io.mcpbridge.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheckProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSchemaCheckProviderTest {
    private final SchemaCheckProvider provider =
            Providers.of(SchemaCheckProvider.class).named("json-schema");

    @Test
    void isFoundByItsName() {
        assertThat(provider).isInstanceOf(JsonSchemaCheckProvider.class);
        assertThat(provider.spiVersion()).isEqualTo(SchemaCheckProvider.SPI_VERSION);
    }

    @Test
    void issuesHaveTheirPlace() {
        var check = provider.compile(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/word\"}},\"required\":[\"b\"],"
                        + "\"$defs\":{\"word\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}}}");

        assertThat(check.issues("{\"a\":\"x\",\"b\":1}")).isEmpty();
        assertThat(check.issues("{\"a\":\"X\"}"))
                .anySatisfy(issue -> {
                    assertThat(issue.path()).isEqualTo("/a");
                    assertThat(issue.message()).contains("^[a-z]+$");
                })
                .anySatisfy(issue -> {
                    assertThat(issue.path()).isEmpty();
                    assertThat(issue.message()).contains("'b'");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\":\"#/$defs/nowhere\"}",
                "{\"$ref\":\"http://127.0.0.1:1/schema.json\"}",
                "{\"$ref\":\"file:///etc/hostname\"}",
                "{\"$schema\":\"http://127.0.0.1:1/dialect\"}",
                "{\"pattern\":\"(\"}",
                "no json"
            })
    void aSchemaThatCannotBeCheckedIsRefused(String schema) {
        assertThatThrownBy(() -> provider.compile(schema)).isInstanceOf(ConfigurationException.class);
    }
}
