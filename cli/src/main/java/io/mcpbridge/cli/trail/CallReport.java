package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Formats all records of one call and of its continuations for people. Text of peers is escaped. */
public final class CallReport {
    private static final String INDENT = "  ";

    private CallReport() {}

    /** The lines of the report. */
    public static List<String> of(List<ParsedRecord> records) {
        var calls = new LinkedHashMap<String, List<ParsedRecord>>();
        for (var record : records) {
            var call = record.text("correlationId").orElse("");
            calls.computeIfAbsent(call, unused -> new ArrayList<>()).add(record);
        }
        return calls.entrySet().stream()
                .flatMap(call -> Stream.concat(
                        Stream.of("call " + VisibleText.of(call.getKey())),
                        call.getValue().stream().flatMap(CallReport::lines)))
                .toList();
    }

    private static Stream<String> lines(ParsedRecord record) {
        var word = switch (record.type()) {
            case ENTER -> "began";
            case EXIT -> "ended";
            case DENIED -> "was denied";
            case NOTE -> "note";
        };
        var head = "%s%s %s, record %d".formatted(INDENT, word, record.time(), record.sequence());
        var trace = record.members().get("traceparent") instanceof String parent
                ? List.of(line("trace", parent))
                : List.<String>of();
        return Stream.of(
                        Stream.of(head),
                        record.data().entrySet().stream()
                                .filter(member -> !member.getKey().equals("correlationId"))
                                .map(member -> line(member.getKey(), member.getValue())),
                        trace.stream())
                .flatMap(each -> each);
    }

    private static String line(String key, Object value) {
        return INDENT.repeat(2) + "%s: %s".formatted(VisibleText.of(key), VisibleText.of(text(value)));
    }

    private static String text(Object value) {
        return value instanceof Map<?, ?> object ? Json.of(object).text() : String.valueOf(value);
    }
}
