package io.mcpbridge.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;

/**
 * Binds the {@link BridgeConfiguration} in a file; the program binds the path as {@link ConfigurationFile}.
 *
 * <p>The file is read when the configuration is first injected, with the environment variables of this process.
 */
public final class ConfigurationFileModule extends AbstractModule {

    @Provides
    @Singleton
    BridgeConfiguration configuration(@ConfigurationFile Path file) {
        return BridgeConfiguration.read(file, System.getenv());
    }
}
