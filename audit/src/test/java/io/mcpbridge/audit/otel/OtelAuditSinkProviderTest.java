package io.mcpbridge.audit.otel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.contract.ProviderContract;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtelAuditSinkProviderTest extends ProviderContract<AuditSinkProvider> {

    @ParameterizedTest
    @ValueSource(strings = {"required", "required-for-changes"})
    void modesThatRequireRecordsAreRejected(String mode) {
        var section = Settings.of(Map.of("sink", "otel", "mode", mode));

        assertThatThrownBy(() -> new OtelAuditSinkProvider().open(section, TestEnvironment.usual()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mode' is '" + mode + "'")
                .hasMessageContaining("\"mirror\": \"otel\"");
    }

    @Override
    protected Class<AuditSinkProvider> service() {
        return AuditSinkProvider.class;
    }

    @Override
    protected Class<OtelAuditSinkProvider> implementation() {
        return OtelAuditSinkProvider.class;
    }

    @Override
    protected String name() {
        return "otel";
    }
}
