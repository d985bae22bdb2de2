package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.ProgramFile;
import io.mcpbridge.spi.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The one file that a server's program may be, by its SHA-256: somebody may have put another in its place since it was
 * approved. Looked at right before each start.
 *
 * @param sha256 the digest in hexadecimal digits; the empty text lets every file pass
 */
record ProgramPin(String sha256) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");

    static boolean isOne(String text) {
        return DIGEST.matcher(text).matches();
    }

    /**
     * Lets a command pass whose program is that file.
     *
     * @throws TransportException if it is another, or cannot be looked at
     */
    void require(Command command) {
        if (sha256.isEmpty()) {
            return;
        }
        var file = ProgramFile.of(command)
                .orElseThrow(() -> refused(command, "its program is not there to be compared with 'sha256'"));
        var found = digest(command, file);
        if (!found.equals(sha256.toLowerCase(Locale.ROOT))) {
            var words =
                    "its program '%s' has the SHA-256 %s but 'sha256' says %s: it is not the file that was approved."
                            + " Look at what has changed, and write the new digest if that is right";
            throw refused(command, words.formatted(file, found, sha256.toLowerCase(Locale.ROOT)));
        }
    }

    private static String digest(Command command, Path file) {
        try (var digesting =
                new DigestOutputStream(OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
            Files.copy(file, digesting);
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (IOException unreadable) {
            throw refused(
                    command,
                    "its program '%s' cannot be read to be compared with 'sha256': %s".formatted(file, unreadable));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private static TransportException refused(Command command, String why) {
        return TransportException.initFailed("Cannot start '%s': %s".formatted(command.program(), why));
    }
}
