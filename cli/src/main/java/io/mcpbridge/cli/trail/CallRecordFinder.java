package io.mcpbridge.cli.trail;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the records of one call. If the call asked its client and continued with the answer, it also finds the records
 * of the calls before and after it.
 *
 * <p>A continued call names only the call before, so the trail is read again until no further call is found.
 */
public final class CallRecordFinder {
    private static final int MOST_LEGS = 100;
    private static final String CALL = "correlationId";
    private static final String BEFORE = "continues";

    private final TrailFolder folder;
    private final String id;
    private final Set<String> calls = new LinkedHashSet<>();
    private final List<ParsedRecord> records = new ArrayList<>();

    private CallRecordFinder(TrailFolder folder, String id) {
        this.folder = folder;
        this.id = id;
    }

    /**
     * The records in the order of the trail; empty if there are none.
     *
     * @param id the correlation id, or its beginning
     * @throws ConfigurationException if there is no readable trail, or the beginning matches too many calls
     */
    public static List<ParsedRecord> in(Path trail, String id) {
        var folder = TrailFolder.withRecords(trail);
        return folder.read(new CallRecordFinder(folder, id)::run);
    }

    private List<ParsedRecord> run() throws IOException {
        int known;
        do {
            known = calls.size();
            records.clear();
            readAll();
        } while (calls.size() > known);
        return List.copyOf(records);
    }

    private void readAll() throws IOException {
        try (var lines = folder.linesFrom(folder.beginning())) {
            for (var line = lines.nextLine(); line.isPresent(); line = lines.nextLine()) {
                // Searches the bytes first, since few lines of a large trail are of this call.
                var text = new String(line.get(), ISO_8859_1);
                if (text.contains(id) || calls.stream().anyMatch(text::contains)) {
                    take(line.get());
                }
            }
        }
    }

    private void take(byte[] line) {
        try {
            var record = ParsedRecord.parse(line);
            var call = record.text(CALL).orElse("");
            var before = record.text(BEFORE).orElse("");
            if (call.startsWith(id) || calls.contains(call) || calls.contains(before)) {
                add(call);
                add(before);
                records.add(record);
            }
        } catch (ProtocolException noRecord) {
            // Not a record of this call; a reader of the whole trail reports it.
        }
    }

    private void add(String call) {
        if (!call.isEmpty() && calls.add(call) && calls.size() > MOST_LEGS) {
            throw ConfigurationException.of(
                    "the ids of more than %d calls begin with '%s' or belong to those; give more of it"
                            .formatted(MOST_LEGS, id));
        }
    }
}
