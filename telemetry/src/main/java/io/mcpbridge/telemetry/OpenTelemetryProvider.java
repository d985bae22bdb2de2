package io.mcpbridge.telemetry;

import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.opentelemetry.api.GlobalOpenTelemetry;

/** Provides {@code opentelemetry}: an observer that reports to the global OpenTelemetry of the process. */
public final class OpenTelemetryProvider implements CallObserverProvider {

    @Override
    public Id id() {
        return new Id("opentelemetry", SPI_VERSION);
    }

    @Override
    public void check(Settings settings) {
        var unused = TelemetrySettings.from(settings);
    }

    @Override
    public CallObserver create(Settings settings, Environment environment) {
        var read = TelemetrySettings.from(settings);
        return OpenTelemetryObserver.of(GlobalOpenTelemetry.get(), read);
    }
}
