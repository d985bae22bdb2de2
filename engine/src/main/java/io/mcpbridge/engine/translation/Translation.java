package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.util.Optional;
import java.util.Set;

/**
 * Translates the calls of one server between the eras. The era of the server decides what it receives; whether its answer
 * is translated is up to the connection that the answer came over, since the server may return from a restart with
 * another era. Any thread.
 *
 * @param suspendedCalls shared by all servers
 */
public record Translation(TranslatedServer server, SuspendedCalls suspendedCalls) implements CallStage {

    private static final String TASKS = "io.modelcontextprotocol/tasks";

    /** Errors of the modern era about headers, capabilities and versions; legacy servers give these codes other meanings. */
    private static final Set<Integer> MODERN_CODES = Set.of(-32020, MultiRoundMessages.CAPABILITY_MISSING, -32022);

    /** The translation of {@code upstream}. */
    public static Translation of(Upstream upstream, SuspendedCalls suspendedCalls) {
        return new Translation(TranslatedServer.of(upstream), suspendedCalls);
    }

    @Override
    public void handle(CallContext context, Next next) {
        var call = PipelineCall.of(context);
        if (call.caller().era() == Era.LEGACY) {
            fromLegacy(call, next);
        } else if (server.era().get().isEmpty() && MultiRoundMessages.isLater(call.request())) {
            connect(call, next);
        } else {
            fromModern(call, next);
        }
    }

    private void fromLegacy(PipelineCall call, Next next) {
        if (server.speaks(Era.MODERN) && call.request().has(MessageField.TASK)) {
            var words = "'%s' of server '%s' cannot become a task: the server speaks %s, which knows no 'params.task'";
            call.complete(MultiRoundMessages.invalid(
                    words.formatted(call.request().method(), server.name(), "revision 2026-07-28 or later")));
        } else {
            call.request(MultiRoundMessages.first(call.request()));
            new InputRequiredLoop(server, next, call).send(Optional.empty(), Optional.empty());
        }
    }

    /** Connects first, because only the era of the server shows whose state the request carries. */
    private void connect(PipelineCall call, Next next) {
        var connecting = call.newAttempt(call.cancellation(), outcome -> {
            if (outcome instanceof Outcome.Failed) {
                call.complete(outcome);
            } else {
                fromModern(call, next);
            }
        });
        server.connect().handle(connecting, connecting);
    }

    private void fromModern(PipelineCall call, Next next) {
        Next modern = passed -> toModern(PipelineCall.of(passed), next);
        if (!MultiRoundMessages.allows(call.request())) {
            if (server.speaks(Era.LEGACY)) {
                call.request(MultiRoundMessages.first(call.request()));
            }
            modern.handle(call);
        } else if (suspendedCalls.resume(server, modern, call)) {
            return;
        } else if (server.speaks(Era.MODERN)) {
            modern.handle(call);
        } else if (call.request().has(MessageField.REQUEST_STATE)) {
            call.complete(MultiRoundMessages.invalid(
                    "'requestState' is not one that was given to this caller for this very request; repeat the call"
                            + " without 'requestState'"));
        } else {
            suspendedCalls.begin(server, modern, call);
        }
    }

    private void toModern(PipelineCall call, Next next) {
        call.mapOutcome(outcome -> modern(call, outcome));
        next.handle(call);
    }

    /** Replaces what a modern client would misunderstand, or did not ask for, by a failure. */
    private Outcome modern(Call call, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)) {
            return outcome;
        }
        var response = answered.response();
        var misleading = response.isError() ? misleadingError(call, answered) : misleadingResult(call, answered);
        return misleading
                .map(failure -> Outcome.failed(failure.withAttempts(answered.attempts())))
                .orElse(answered);
    }

    private Optional<Failure> misleadingError(Call call, Outcome.Answered answered) {
        if (answered.era() != Era.LEGACY) {
            return Optional.empty();
        }
        var response = answered.response();
        var error = JsonRpcErrorMapper.toFailure(response).serverError().orElseThrow();
        var isModern = MODERN_CODES.contains(error.code());
        var isReadable = MultiRoundMessages.allows(call.request()) && UrlElicitationTranslator.isReadable(response);
        if (!isModern && (error.code() != MultiRoundMessages.URL_ELICITATION_REQUIRED || isReadable)) {
            return Optional.empty();
        }
        var words = isModern
                ? "with the error %d, which means something else before revision 2026-07-28: %s"
                : "with the error %d, but not with addresses that the user could be sent to: %s";
        return Optional.of(
                invalid(call, words.formatted(error.code(), error.message())).withServerError(error));
    }

    private Optional<Failure> misleadingResult(Call call, Outcome.Answered answered) {
        var response = answered.response();
        if (!response.has(MessageField.RESULT_TYPE)) {
            return Optional.empty();
        }
        var type = response.text(MessageField.RESULT_TYPE).orElse("");
        if (answered.era() == Era.LEGACY && !type.equals("complete")) {
            var raw = response.raw(MessageField.RESULT_TYPE).orElse("");
            return Optional.of(invalid(
                    call,
                    "with the resultType %s, which no revision before 2026-07-28 has"
                            .formatted(VisibleText.beginning(raw, 100))));
        }
        if (type.equals("task") && !supportsTasks(call)) {
            return Optional.of(
                    invalid(call, "with a task, but the client did not declare the extension '" + TASKS + "'"));
        }
        return Optional.empty();
    }

    private static boolean supportsTasks(Call call) {
        try {
            var extensions = JsonCodec.rawMembers(call.caller().declared()).getOrDefault("extensions", "");
            return extensions.startsWith("{")
                    && JsonCodec.rawMembers(extensions).containsKey(TASKS);
        } catch (ProtocolException unreadable) {
            return false;
        }
    }

    private Failure invalid(Call call, String how) {
        var words = "server '%s' broke the protocol: it answered '%s' %s";
        return Failure.of(
                        ErrorCode.UPSTREAM_INVALID,
                        words.formatted(server.name(), call.request().method(), how))
                .withDelivery(Delivery.ANSWERED)
                .withServer(server.name());
    }
}
