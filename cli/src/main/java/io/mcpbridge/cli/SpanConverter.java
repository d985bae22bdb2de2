package io.mcpbridge.cli;

import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads time spans as the configuration file has them, {@code 500ms} or {@code 30s}. */
final class SpanConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String value) {
        return Settings.of(Map.of("span", value))
                .duration("span")
                .filter(span -> !span.isZero())
                .orElseThrow(() -> new TypeConversionException(
                        "'%s' is not a time span; write for example 500ms, 30s or 2m".formatted(value)));
    }
}
