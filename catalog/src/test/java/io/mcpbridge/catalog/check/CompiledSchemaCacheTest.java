package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.catalog.schema.JsonSchemaCheckProvider;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.Settings;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What is compiled is kept, by what the schema says. */
class CompiledSchemaCacheTest {
    private final Counting counting = new Counting();
    private final SchemaCheckStageProvider.CompiledSchemaCache schemas =
            new SchemaCheckStageProvider.CompiledSchemaCache(counting);

    @Test
    void equalSchemasAreCompiledOnce() {
        var one = "{\"type\":\"integer\"}";

        assertThat(schemas.issues(one, "1")).isEmpty();
        assertThat(schemas.issues(new String(one.toCharArray()), "\"a\"")).hasSize(1);
        assertThat(schemas.issues("{\"type\":\"string\"}", "\"a\"")).isEmpty();

        assertThat(counting.compiled).hasValue(2);
    }

    @Test
    void invalidSchemaIsCachedAsItsIssue() {
        for (int i = 0; i < 3; i++) {
            assertThat(schemas.issues("{\"type\":\"intger\"}", "1"))
                    .singleElement()
                    .asString()
                    .contains("the schema is invalid");
        }

        assertThat(counting.compiled).hasValue(1);
    }

    @Test
    void cacheIsLimitedInSize() {
        var comment = "x".repeat(1 << 19);

        for (int i = 0; i < 40; i++) {
            assertThat(schemas.issues("{\"$comment\":\"%s%d\"}".formatted(comment, i), "1"))
                    .isEmpty();
        }

        assertThat(schemas.size()).isBetween(20, 31);
    }

    @Test
    void stageIsFoundByItsName() {
        var provider = Providers.of(CallStageProvider.class).named("schema-check");

        assertThat(provider.place()).isEqualTo(Place.SCHEMA_CHECK);
        assertThat(provider.id().spiVersion()).isEqualTo(CallStageProvider.SPI_VERSION);
    }

    @Test
    void settingsHaveDefaultsAndRejectUnknownKeys() {
        assertThat(SchemaCheckSettings.from(Settings.of(Map.of()))).isEqualTo(new SchemaCheckSettings(true, true));
        assertThat(SchemaCheckSettings.from(Settings.of(Map.of("arguments", false, "results", false))))
                .isEqualTo(new SchemaCheckSettings(false, false));
        Assertions.assertThatThrownBy(() -> SchemaCheckSettings.from(Settings.of(Map.of("results", "yes"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'results' is 'yes' but must be true or false");
    }

    private static final class Counting implements SchemaCheckProvider {
        private final JsonSchemaCheckProvider provider = new JsonSchemaCheckProvider();
        private final AtomicInteger compiled = new AtomicInteger();

        @Override
        public Id id() {
            return new Id("counting", SPI_VERSION);
        }

        @Override
        public SchemaCheck compile(String schemaJson) {
            compiled.incrementAndGet();
            return provider.compile(schemaJson);
        }
    }
}
