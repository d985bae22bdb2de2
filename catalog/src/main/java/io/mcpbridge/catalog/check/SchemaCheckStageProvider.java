package io.mcpbridge.catalog.check;

import io.mcpbridge.catalog.schema.JsonSchemaCheckProvider;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Provides {@code schema-check} where it is configured. The stages that one provider makes share compiled schemas
 * and threads, and each takes turns of its own.
 */
public final class SchemaCheckStageProvider implements CallStageProvider {
    private final CompiledSchemas schemas;
    private final Executor threads;

    public SchemaCheckStageProvider() {
        this(new JsonSchemaCheckProvider(), CheckThreads.open());
    }

    /** @param threads on which values are checked */
    SchemaCheckStageProvider(SchemaCheckProvider checks, Executor threads) {
        this.schemas = new CompiledSchemas(checks);
        this.threads = threads;
    }

    @Override
    public String name() {
        return "schema-check";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.SCHEMA_CHECK;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return context.isConfigured()
                ? Optional.of(new SchemaCheckStage(
                        SchemaCheckSettings.from(context.settings()), context, schemas, new CheckTurns(threads)))
                : Optional.empty();
    }
}
