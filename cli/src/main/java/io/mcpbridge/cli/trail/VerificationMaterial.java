package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.KeptCheckpoints;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The keys and the kept checkpoints with which a trail is verified.
 *
 * @param keys the accepted signing keys of the checkpoints
 * @param kept the checkpoints that were kept elsewhere
 */
public record VerificationMaterial(Keys keys, KeptCopy kept) {

    /**
     * The public keys that are accepted as signers of the checkpoints.
     *
     * @param file the file of the keys
     * @param keys the keys; empty if there is no such file
     */
    public record Keys(Path file, List<VerificationKey> keys) {

        public Keys {
            keys = List.copyOf(keys);
        }

        /**
         * The keys in a file.
         *
         * @throws ConfigurationException if it cannot be read, or holds something else
         */
        public static Keys in(Path file) {
            try {
                return new Keys(file, VerificationKey.read(file));
            } catch (IOException unreadable) {
                throw ConfigurationException.of(
                        "the public key cannot be read from '%s' (%s); name the file that holds it with --pubkey"
                                .formatted(file, ErrorText.of(unreadable)));
            } catch (IllegalArgumentException unfit) {
                throw ConfigurationException.of(
                        "'%s' holds no public key of a trail: %s".formatted(file, unfit.getMessage()));
            }
        }

        /** Like {@link #in}, but the file may be missing. */
        public static Keys beside(Path file) {
            return Files.exists(file) ? in(file) : new Keys(file, List.of());
        }
    }

    /**
     * A copy of a trail's checkpoints that was kept elsewhere.
     *
     * @param file the file of the copy
     * @param checkpoints the checkpoints in the copy
     */
    public record KeptCopy(Path file, KeptCheckpoints checkpoints) {
        /** No copy. */
        public static final KeptCopy NONE = new KeptCopy(Path.of(""), KeptCheckpoints.NONE);

        /**
         * The copy in a file.
         *
         * @throws ConfigurationException if it cannot be read, or holds something else
         */
        public static KeptCopy in(Path file) {
            try {
                return new KeptCopy(file, KeptCheckpoints.read(file));
            } catch (IOException unreadable) {
                throw ConfigurationException.of(
                        "the kept checkpoints cannot be read from '%s' (%s); name a copy of the file 'checkpoints' of the trail"
                                .formatted(file, ErrorText.of(unreadable)));
            } catch (IllegalArgumentException unfit) {
                throw ConfigurationException.of(
                        "'%s' is no copy of the file 'checkpoints' of a trail: %s".formatted(file, unfit.getMessage()));
            }
        }

        boolean isThere() {
            return checkpoints.size() > 0;
        }
    }
}
