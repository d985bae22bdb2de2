package io.mcpbridge.spi;

import io.mcpbridge.spi.CallStage.Place;
import java.util.Optional;

/**
 * Makes the stages of one kind, one for each server.
 *
 * <p>Its {@linkplain #name() name} is the key of its section, in the section of a server and in {@code bridge}, which
 * has the defaults for all servers. {@code "none"} in place of the section disables the stage.
 */
public interface CallStageProvider extends Provider {

    /** The position of its stages in the pipeline. */
    Place place();

    /**
     * Makes the stage of one server; starts nothing yet.
     *
     * @return the stage; empty if the configuration does not enable it
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    Optional<CallStage> create(StageContext context);
}
