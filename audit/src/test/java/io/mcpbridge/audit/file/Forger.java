package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.files.OwnUser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.UnaryOperator;

/** An attacker with the disk and the key: makes a new trail with valid checkpoints. */
final class Forger {
    private static final int HASH_AT_END = 64 + "\"}".length();

    private final Path folder;
    private final Map<Long, String> hashes = new HashMap<>();

    Forger(Path folder) {
        this.folder = folder;
    }

    /** Changes one record, recomputes all hashes after it and signs all checkpoints again. */
    void change(long sequence, UnaryOperator<String> change) throws Exception {
        var before = ChainHead.START.hash();
        for (var segment : Segment.in(folder)) {
            var lines = new ArrayList<String>();
            for (var line : Files.readAllLines(segment.file())) {
                var record = ParsedRecord.parse(line.getBytes(UTF_8));
                var forged = withHash(record.sequence() == sequence ? change.apply(line) : line, before);
                before = forged.substring(forged.length() - HASH_AT_END, forged.length() - 2);
                hashes.put(record.sequence(), before);
                lines.add(forged);
            }
            Files.writeString(segment.file(), String.join("\n", lines) + "\n");
        }
        signAgain();
    }

    private void signAgain() throws Exception {
        var key = SigningKey.readOrMake(
                folder.resolveSibling("trail.key"), TrailFileSystem.ofTheSystem(), OwnUser.ofThisProcess());
        var notes = new ByteArrayOutputStream();
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                var size = next.get().size();
                notes.writeBytes(key.sign(new ChainHead(size, hashes.getOrDefault(size, ChainHead.START.hash())))
                        .bytes());
            }
        }
        write(notes.toByteArray());
    }

    private void write(byte[] notes) throws IOException {
        Files.write(folder.resolve(CheckpointReader.FILE), notes);
    }

    /** The line of a record with the hash that it has behind another one. */
    static String withHash(String line, String before) throws Exception {
        var body = line.substring(0, line.length() - HASH_AT_END - ",\"zhash\":\"".length()) + "}";
        var digest = MessageDigest.getInstance("SHA-256");
        digest.update(HexFormat.of().parseHex(before));
        var hash = HexFormat.of().formatHex(digest.digest(body.getBytes(UTF_8)));
        return line.substring(0, line.length() - HASH_AT_END) + hash + "\"}";
    }
}
