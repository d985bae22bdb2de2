package io.mcpbridge.telemetry;

import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.testkit.contract.ProviderContract;

class OpenTelemetryProviderTest extends ProviderContract<CallObserverProvider> {

    @Override
    protected Class<CallObserverProvider> service() {
        return CallObserverProvider.class;
    }

    @Override
    protected Class<OpenTelemetryProvider> implementation() {
        return OpenTelemetryProvider.class;
    }

    @Override
    protected String name() {
        return "opentelemetry";
    }
}
