package io.mcpbridge.cli;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.Json;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The exit codes of the command; scripts rely on them. */
final class ExitCode {
    static final int OK = 0;
    /** The tool or the server reported an error. */
    static final int TOOL_ERROR = 1;
    /** The command line or the configuration is wrong. */
    static final int USAGE = 2;
    /** The daemon or server could not be reached. */
    static final int CANNOT_CONNECT = 3;

    static final int TIMED_OUT = 4;

    /** The daemon's error codes for an unreachable server. */
    private static final Set<Integer> CONNECTION_ERRORS = Set.of(
            ErrorCode.PROVIDER_INIT_FAILED.jsonRpcCode(),
            ErrorCode.PROVIDER_UNAVAILABLE.jsonRpcCode(),
            ErrorCode.PROVIDER_CRASHED.jsonRpcCode());

    /** The {@code cause} of an in-doubt error after a time-out. */
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
        var isUnreachable = Stream.of(relayed, failure.code().jsonRpcCode()).anyMatch(CONNECTION_ERRORS::contains);
        return isUnreachable ? CANNOT_CONNECT : TOOL_ERROR;
    }

    /** Whether the call is in doubt because of a time-out. */
    private static boolean isTimeOut(ServerError error) {
        if (error.code() != ErrorCode.IN_DOUBT.jsonRpcCode()) {
            return false;
        }
        try {
            return Json.parse(error.data()).asMap().get("bridge") instanceof Map<?, ?> bridge
                    && TIME_OUT.equals(bridge.get("cause"));
        } catch (ProtocolException notOurs) {
            return false;
        }
    }
}
