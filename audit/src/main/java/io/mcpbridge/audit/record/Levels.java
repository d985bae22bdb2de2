package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.NamePattern;
import io.mcpbridge.spi.AuditedCall;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Tells how much of a call a record shows: what the longest pattern says that fits, of two as long the one that says less. */
final class Levels {
    private static final Comparator<Pattern> BY_STRENGTH =
            Comparator.comparingInt(Pattern::length).reversed().thenComparing(Pattern::level);

    private final RecordLevel otherwise;
    private final List<Pattern> patterns;

    private record Pattern(NamePattern names, int length, RecordLevel level) {}

    Levels(RecordSettings settings) {
        this.otherwise = settings.level();
        this.patterns = settings.levels().entrySet().stream()
                .map(Levels::pattern)
                .sorted(BY_STRENGTH)
                .toList();
    }

    RecordLevel of(AuditedCall call) {
        if (patterns.isEmpty()) {
            return otherwise;
        }
        var name = call.server().isEmpty() ? call.tool() : call.server() + "." + call.tool();
        return patterns.stream()
                .filter(each -> each.names.matches(name))
                .findFirst()
                .map(Pattern::level)
                .orElse(otherwise);
    }

    private static Pattern pattern(Map.Entry<String, RecordLevel> entry) {
        return new Pattern(NamePattern.of(entry.getKey()), entry.getKey().length(), entry.getValue());
    }
}
