package io.mcpbridge.cli.relay;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import java.nio.file.Path;

/** Explains why a socket leads to no daemon, and names the command that starts one. */
public final class AbsentDaemon {
    private AbsentDaemon() {}

    /** The failure to reach {@code socket} in words about the daemon; another failure stays as it is. */
    public static TransportException explain(Path socket, TransportException failed) {
        if (failed.code() != ErrorCode.PROVIDER_UNAVAILABLE || failed.getCause() == null) {
            return failed;
        }
        var words =
                "Cannot connect to the daemon at 'unix:%s': %s. Start it with 'mcp-bridge serve', or add 'unix' to its 'listen'."
                        .formatted(socket, failed.getCause().getMessage());
        return TransportException.of(failed.failure().withMessage(words));
    }
}
