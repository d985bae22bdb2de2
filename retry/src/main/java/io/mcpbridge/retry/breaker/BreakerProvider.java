package io.mcpbridge.retry.breaker;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;

/** Provides {@code breaker}, which every server has unless its configuration says {@code none}. */
public final class BreakerProvider implements CallStageProvider {

    @Override
    public String name() {
        return "breaker";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.BREAKER;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return Optional.of(new BreakerStage(BreakerSettings.from(context.settings()), context));
    }
}
