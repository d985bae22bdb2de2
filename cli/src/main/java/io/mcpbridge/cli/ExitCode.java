package io.mcpbridge.cli;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import java.util.Set;

/** What the command's exit codes mean; scripts rely on them. */
final class ExitCode {
    static final int OK = 0;
    /** The tool itself, or the server, said that the call failed. */
    static final int TOOL_ERROR = 1;
    /** The command line or the configuration is wrong. */
    static final int USAGE = 2;
    /** Nobody could be reached. */
    static final int CANNOT_CONNECT = 3;

    static final int TIMED_OUT = 4;

    /** What the daemon says when the server behind it cannot be reached. */
    private static final Set<Integer> CONNECTING = Set.of(
            ErrorCode.PROVIDER_INIT_FAILED.jsonRpcCode(),
            ErrorCode.PROVIDER_UNAVAILABLE.jsonRpcCode(),
            ErrorCode.PROVIDER_CRASHED.jsonRpcCode());

    private ExitCode() {}

    static int of(BridgeException failure) {
        if (failure instanceof ConfigurationException) {
            return USAGE;
        }
        if (failure.code() == ErrorCode.PROVIDER_TIMEOUT) {
            return TIMED_OUT;
        }
        var relayed = failure.failure().serverError().map(error -> error.code()).orElse(0);
        if (relayed == ErrorCode.PROVIDER_TIMEOUT.jsonRpcCode()) {
            return TIMED_OUT;
        }
        if (CONNECTING.contains(relayed)) {
            return CANNOT_CONNECT;
        }
        return switch (failure.code()) {
            case PROVIDER_INIT_FAILED, PROVIDER_UNAVAILABLE, PROVIDER_CRASHED -> CANNOT_CONNECT;
            default -> TOOL_ERROR;
        };
    }
}
