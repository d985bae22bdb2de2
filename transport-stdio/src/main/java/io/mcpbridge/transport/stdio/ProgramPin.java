package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The required SHA-256 of a server's program, since its file may have been replaced after it was approved.
 *
 * <p>The file is checked right before each start and right after it. If a file was replaced in between, its process has
 * begun to run, but is ended before it gets any message.
 *
 * @param sha256 the digest in hexadecimal digits; empty to accept every file
 * @param digests the digests of programs that were read before
 */
record ProgramPin(String sha256, ProgramDigestCache digests) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");

    static boolean isOne(String text) {
        return DIGEST.matcher(text).matches();
    }

    /**
     * Starts a command if its program has the digest.
     *
     * @throws TransportException if the program has another digest, or cannot be read
     */
    ChildProcess launch(LaunchCommand command, ProcessLauncher launcher, Instant now) throws InterruptedException {
        if (sha256.isEmpty()) {
            return launcher.launch(command);
        }
        var file = PlainProcessLauncher.program(command)
                .orElseThrow(
                        () -> refused(command, "its program does not exist, so it cannot be compared with 'sha256'"));
        var approved = approved(command, file, now);
        var child = launcher.launch(command);
        if (!isStill(command, file, approved)) {
            child.end(Duration.ZERO);
            throw refused(
                    command,
                    "its program '%s' was replaced during its start, so it was ended; find out what replaces it"
                            .formatted(file));
        }
        return child;
    }

    private ProgramDigestCache.Known approved(LaunchCommand command, Path file, Instant now) {
        try {
            var found = digests.of(file, now);
            if (!found.digest().equals(sha256.toLowerCase(Locale.ROOT))) {
                throw refused(command, file, found.digest());
            }
            return found;
        } catch (IOException unreadable) {
            throw refused(
                    command,
                    "its program '%s' cannot be read to be compared with 'sha256': %s"
                            .formatted(file, ErrorText.of(unreadable)));
        }
    }

    private boolean isStill(LaunchCommand command, Path file, ProgramDigestCache.Known approved) {
        try {
            return PlainProcessLauncher.program(command).equals(Optional.of(file)) && digests.isStill(file, approved);
        } catch (IOException gone) {
            return false;
        }
    }

    private TransportException refused(LaunchCommand command, Path file, String found) {
        var words = "its program '%s' has the SHA-256 %s but 'sha256' says %s: it is not the file that was approved."
                + " Check what has changed, and write the new digest if that is right";
        return refused(command, words.formatted(file, found, sha256.toLowerCase(Locale.ROOT)));
    }

    private static TransportException refused(LaunchCommand command, String why) {
        return TransportException.initFailed("Cannot start '%s': %s".formatted(command.program(), why));
    }
}
