package io.mcpbridge.retry.limit;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;

/** Provides {@code rate-limit} where it is configured. */
public final class RateLimitProvider implements CallStageProvider {

    @Override
    public String name() {
        return "rate-limit";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.RATE_LIMIT;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return context.isConfigured()
                ? Optional.of(new RateLimitStage(RateLimitSettings.from(context.settings()), context))
                : Optional.empty();
    }
}
