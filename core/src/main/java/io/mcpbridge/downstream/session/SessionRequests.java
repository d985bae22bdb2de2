package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.downstream.calls.Refusals;
import io.mcpbridge.downstream.registry.ClientCard;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import java.util.Optional;

/**
 * Answers the requests of a client that are about its session and make no call: the handshake, {@code ping} and the level
 * of its log. Any thread.
 */
final class SessionRequests {
    private final Introduction introduction;
    private final LogFilter logFilter;
    private final Welcome welcome;

    /** What the session adds to a handshake. */
    interface Welcome {

        /** The caller with what the client did not say itself. */
        Caller.Builder complete(Caller.Builder said);

        /** The answer to {@code request}, by which the client has said this of itself. */
        Ending answer(Request request, ClientCard said);
    }

    SessionRequests(Introduction introduction, LogFilter logFilter, Welcome welcome) {
        this.introduction = introduction;
        this.logFilter = logFilter;
        this.welcome = welcome;
    }

    /** How the request ends; empty if it becomes a call, of a client that has introduced itself. */
    Optional<Ending> answer(Request request) {
        switch (request.method()) {
            case Methods.INITIALIZE -> {
                return Optional.of(initialize(request));
            }
            case Methods.PING -> {
                return Optional.of(Ending.answer(Response.result(request.id(), "{}")));
            }
            default -> {
                return introduction
                        .caller()
                        .map(from -> ofKnown(request, from))
                        .orElseGet(() -> Optional.of(tooEarly(request)));
            }
        }
    }

    private Optional<Ending> ofKnown(Request request, Caller from) {
        return request.method().equals(Methods.LOGGING_SET_LEVEL)
                ? Optional.of(setLogLevel(request, from))
                : Optional.empty();
    }

    private static Ending tooEarly(Request request) {
        var why = "'%s' came before 'initialize'; begin with that".formatted(request.method());
        return Refusals.of(400, request, ErrorCode.INVALID_REQUEST, why);
    }

    private Ending initialize(Request request) {
        if (introduction.isInitialized()) {
            var why = "this session is initialized already; open another one";
            return Refusals.of(400, request, ErrorCode.INVALID_REQUEST, why);
        }
        try {
            return welcome.answer(request, introduction.initialize(request, welcome::complete));
        } catch (ProtocolException malformed) {
            return Ending.refused(400, JsonRpcErrors.toResponse(request.id(), malformed.failure(), ""));
        }
    }

    private Ending setLogLevel(Request request, Caller from) {
        var level = logFilter.set(request);
        if (level.isEmpty()) {
            return Refusals.of(400, request, ErrorCode.INVALID_PARAMS, LogFilter.problem(request));
        }
        introduction.logLevel(from, level.get());
        return Ending.answer(Response.result(request.id(), "{}"));
    }
}
