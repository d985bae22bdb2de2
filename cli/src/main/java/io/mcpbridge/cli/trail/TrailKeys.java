package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The public keys that a trail's checkpoints may be signed with.
 *
 * @param file where they stand
 * @param keys empty where there is no such file
 */
public record TrailKeys(Path file, List<VerificationKey> keys) {

    public TrailKeys {
        keys = List.copyOf(keys);
    }

    /**
     * The keys in a file.
     *
     * @throws ConfigurationException if it cannot be read, or holds something else
     */
    public static TrailKeys in(Path file) {
        try {
            return new TrailKeys(file, VerificationKey.read(file));
        } catch (IOException unreadable) {
            throw ConfigurationException.of(
                    "the public key cannot be read from '%s' (%s); name the file that holds it with --pubkey"
                            .formatted(file, unreadable));
        } catch (IllegalArgumentException unfit) {
            throw ConfigurationException.of(
                    "'%s' holds no public key of a trail: %s".formatted(file, unfit.getMessage()));
        }
    }

    /** The same, where the file need not be there. */
    public static TrailKeys beside(Path file) {
        return Files.exists(file) ? in(file) : new TrailKeys(file, List.of());
    }
}
