package io.mcpbridge.sandbox.worker.internal.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for a lot of bytes. */
final class Digest {
    private static final int LENGTH = 12;

    private Digest() {}

    static String of(String text) {
        return name(sha256(), text.getBytes(StandardCharsets.UTF_8));
    }

    static String of(Path file) throws IOException {
        var digest = sha256();
        var chunk = new byte[1 << 16];
        try (var in = Files.newInputStream(file)) {
            for (var read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
            }
        }
        return name(digest, new byte[0]);
    }

    private static String name(MessageDigest digest, byte[] last) {
        return HexFormat.of().formatHex(digest.digest(last), 0, LENGTH);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
