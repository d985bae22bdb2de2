package io.mcpbridge.cli.trail;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.TreeMap;

/** Writes records as the file sink does, save that their hashes hold nothing together. For one thread. */
final class Records {
    private static final String HASH = "0".repeat(64);

    private final Path folder;
    private Path segment;
    private long sequence;
    private Instant time = Instant.parse("2026-01-31T08:00:00.000001Z");

    Records(Path folder) {
        this.folder = folder;
        this.segment = folder;
        rotate();
    }

    /** Begins another segment. */
    Records rotate() {
        segment = folder.resolve("%020d.jsonl".formatted(sequence + 1));
        return append("");
    }

    Records at(String moment) {
        time = Instant.parse(moment);
        return this;
    }

    Records enter(String call, String tool) {
        return enter(call, tool, "ann", "");
    }

    Records enter(String call, String tool, String principal, String continues) {
        var data = call(call, tool);
        data.put("clientId", "\"desk\"");
        data.put("principal", "{\"name\":%s,\"proof\":\"token\"}".formatted(JsonText.quote(principal)));
        if (!continues.isEmpty()) {
            data.put("continues", JsonText.quote(continues));
        }
        return record("io.mcpbridge.tool.call.enter", data);
    }

    Records exit(String call, String tool, String outcome) {
        var data = call(call, tool);
        data.put("attempts", "1");
        data.put("delivery", "\"ANSWERED\"");
        data.put("durationMs", "12");
        data.put("outcome", JsonText.quote(outcome));
        return record("io.mcpbridge.tool.call.exit", data);
    }

    Records denied(String call, String tool, String reason) {
        var data = call(call, tool);
        data.put("principal", "{\"name\":\"bob\",\"proof\":\"token\"}");
        data.put("reason", JsonText.quote(reason));
        return record("io.mcpbridge.tool.call.denied", data);
    }

    Records note(String kind) {
        var data = new TreeMap<String, String>();
        data.put("kind", JsonText.quote(kind));
        return record("io.mcpbridge.audit.note", data);
    }

    /** Appends what is no record, or less than one. */
    Records append(String text) {
        try {
            Files.writeString(segment, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static TreeMap<String, String> call(String call, String tool) {
        var data = new TreeMap<String, String>();
        data.put("correlationId", JsonText.quote(call));
        data.put("method", "\"tools/call\"");
        data.put("server", "\"github\"");
        data.put("tool", JsonText.quote(tool));
        return data;
    }

    private Records record(String type, TreeMap<String, String> data) {
        time = time.plusMillis(1);
        sequence++;
        var members = new StringBuilder();
        data.forEach((key, value) -> members.append(members.isEmpty() ? "" : ",")
                .append(JsonText.quote(key))
                .append(':')
                .append(value));
        return append("{\"data\":{%s},\"datacontenttype\":\"application/json\",\"id\":\"%d\",\"sequence\":\"%020d\","
                        .formatted(members, sequence, sequence)
                + "\"source\":\"/mcp/github\",\"specversion\":\"1.0\",\"time\":\"%s\",\"type\":\"%s\",\"zhash\":\"%s\"}\n"
                        .formatted(time, type, HASH));
    }
}
