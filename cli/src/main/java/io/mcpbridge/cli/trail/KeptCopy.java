package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.KeptCheckpoints;
import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A copy of a trail's checkpoints that was kept elsewhere.
 *
 * @param file where it stands
 * @param checkpoints what it holds
 */
public record KeptCopy(Path file, KeptCheckpoints checkpoints) {
    /** There is none. */
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
                            .formatted(file, unreadable));
        } catch (IllegalArgumentException unfit) {
            throw ConfigurationException.of(
                    "'%s' is no copy of the file 'checkpoints' of a trail: %s".formatted(file, unfit.getMessage()));
        }
    }

    boolean isThere() {
        return checkpoints.size() > 0;
    }
}
