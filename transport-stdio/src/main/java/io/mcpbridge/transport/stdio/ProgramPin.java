package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.ProgramFile;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one file that a server's program may be, by its SHA-256: somebody may have put another in its place since it was
 * approved. Looked at right before each start, and right after it: a file that was exchanged in between has begun to run, but
 * is ended before it is told anything.
 *
 * @param sha256 the digest in hexadecimal digits; the empty text lets every file pass
 * @param digests of programs that were looked at before
 */
record ProgramPin(String sha256, ProgramDigests digests) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");

    static boolean isOne(String text) {
        return DIGEST.matcher(text).matches();
    }

    /**
     * Starts a command whose program is that file.
     *
     * @throws TransportException if it is another, or cannot be looked at
     */
    ChildProcess launch(Command command, ProcessLauncher launcher, Instant now) throws InterruptedException {
        if (sha256.isEmpty()) {
            return launcher.launch(command);
        }
        var file = ProgramFile.of(command)
                .orElseThrow(() -> refused(command, "its program is not there to be compared with 'sha256'"));
        var approved = approved(command, file, now);
        var child = launcher.launch(command);
        if (!isStill(command, file, approved)) {
            child.end(Duration.ZERO);
            throw refused(
                    command,
                    "its program '%s' was exchanged while it was started, so it was ended; look at who changes it"
                            .formatted(file));
        }
        return child;
    }

    private ProgramDigests.Known approved(Command command, Path file, Instant now) {
        try {
            var found = digests.of(file, now);
            if (!found.digest().equals(sha256.toLowerCase(Locale.ROOT))) {
                throw refused(command, file, found.digest());
            }
            return found;
        } catch (IOException unreadable) {
            throw refused(
                    command,
                    "its program '%s' cannot be read to be compared with 'sha256': %s".formatted(file, unreadable));
        }
    }

    private boolean isStill(Command command, Path file, ProgramDigests.Known approved) {
        try {
            return ProgramFile.of(command).equals(Optional.of(file)) && digests.isStill(file, approved);
        } catch (IOException gone) {
            return false;
        }
    }

    private TransportException refused(Command command, Path file, String found) {
        var words =
                "its program '%s' has the SHA-256 %s but 'sha256' says %s: it is not the file that was approved. Look"
                        + " at what has changed, and write the new digest if that is right";
        return refused(command, words.formatted(file, found, sha256.toLowerCase(Locale.ROOT)));
    }

    private static TransportException refused(Command command, String why) {
        return TransportException.initFailed("Cannot start '%s': %s".formatted(command.program(), why));
    }
}
