package io.mcpbridge.retry.cache;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Place;
import io.mcpbridge.spi.StageContext;
import java.util.Optional;

/**
 * Provides {@code cache}, which every server has unless its configuration says {@code none}: what the server itself
 * says may be kept is kept.
 */
public final class CacheProvider implements CallStageProvider {

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Place place() {
        return Place.CACHE;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return Optional.of(new CacheStage(CacheSettings.from(context.settings()), context));
    }
}
