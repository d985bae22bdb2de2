package io.mcpbridge.cli;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;

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

    private ExitCode() {}

    static int of(BridgeException failure) {
        if (failure instanceof ConfigurationException) {
            return USAGE;
        }
        if (failure.code() == ErrorCode.PROVIDER_TIMEOUT) {
            return TIMED_OUT;
        }
        return switch (failure.code()) {
            case PROVIDER_INIT_FAILED, PROVIDER_UNAVAILABLE, PROVIDER_CRASHED -> CANNOT_CONNECT;
            default -> TOOL_ERROR;
        };
    }
}
