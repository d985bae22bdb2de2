package io.mcpbridge.retry.cache;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;

/** Provides {@code coalescing} where it is configured. */
public final class CoalescingProvider implements CallStageProvider {

    @Override
    public String name() {
        return "coalescing";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.COALESCING;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return context.isConfigured()
                ? Optional.of(new CoalescingStage(CoalescingSettings.from(context.settings()), context))
                : Optional.empty();
    }
}
