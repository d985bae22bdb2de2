package io.mcpbridge.cli;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.ServerError;
import io.mcpbridge.tool.JsonObject;
import java.util.Locale;
import java.util.Map;
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

    /** How the daemon names the cause of a doubt. */
    private static final String TIME_OUT = ErrorCode.PROVIDER_TIMEOUT.name().toLowerCase(Locale.ROOT);

    private ExitCode() {}

    static int of(BridgeException failure) {
        if (failure instanceof ConfigurationException) {
            return USAGE;
        }
        var serverError = failure.failure().serverError();
        var relayed = serverError.map(ServerError::code).orElse(0);
        if (failure.failure().origin() == ErrorCode.PROVIDER_TIMEOUT
                || relayed == ErrorCode.PROVIDER_TIMEOUT.jsonRpcCode()
                || serverError.filter(ExitCode::isTimeOut).isPresent()) {
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

    /** Whether the daemon is in doubt about a call because its time was up. */
    private static boolean isTimeOut(ServerError error) {
        if (error.code() != ErrorCode.IN_DOUBT.jsonRpcCode()) {
            return false;
        }
        try {
            return JsonObject.parse(error.data()).get("bridge") instanceof Map<?, ?> bridge
                    && TIME_OUT.equals(bridge.get("cause"));
        } catch (ProtocolException notOurs) {
            return false;
        }
    }
}
