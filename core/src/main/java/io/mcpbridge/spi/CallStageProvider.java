package io.mcpbridge.spi;

import io.mcpbridge.spi.CallStage.Place;
import java.util.Optional;

/**
 * Makes the stages of one kind, one for each server.
 *
 * <p>Its {@linkplain #name() name} is the key of its section, in the section of a server and in {@code bridge}, where
 * the defaults for all servers stand. {@code "none"} in place of the section switches it off.
 */
public interface CallStageProvider extends Provider {

    /** Where its stages stand. */
    Place place();

    /**
     * Makes the stage of one server; starts nothing yet.
     *
     * @return empty where the configuration does not want it
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    Optional<CallStage> create(StageContext context);
}
