package io.mcpbridge.retry.limit;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;

/** Provides {@code concurrency} where it is configured. */
public final class ConcurrencyProvider implements CallStageProvider {

    @Override
    public String name() {
        return "concurrency";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.CONCURRENCY;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return context.isConfigured()
                ? Optional.of(new ConcurrencyStage(ConcurrencySettings.from(context.settings()), context))
                : Optional.empty();
    }
}
