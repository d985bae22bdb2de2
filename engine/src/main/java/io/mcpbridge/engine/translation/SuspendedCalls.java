package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of modern clients whose legacy servers wait for answers: begins and resumes them, and limits how many there
 * are. One for all servers of a bridge; any thread.
 */
public final class SuspendedCalls {
    private volatile SuspendedCallSettings settings;
    private final Environment environment;
    private final ResumeTokens tokens = new ResumeTokens();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicLong lapsed = new AtomicLong();
    private final Map<Long, SuspendableCall> calls = new ConcurrentHashMap<>();

    /** Held while a call is admitted, so that the limits are kept. */
    private final ReentrantLock admission = new ReentrantLock();

    /**
     * How many calls are suspended at one moment, for operators.
     *
     * @param suspended calls whose client has not sent the answers
     * @param oldest when the oldest suspension began; empty if there is none
     * @param lapsed calls whose clients never came back, since the start
     */
    public record Status(int suspended, Optional<Instant> oldest, long lapsed) {}

    public SuspendedCalls(SuspendedCallSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
    }

    /** Replaces the limits; calls that are suspended already keep their expiry. */
    public void limit(SuspendedCallSettings newSettings) {
        settings = newSettings;
    }

    public Status status() {
        var since = calls.values().stream()
                .flatMap(call -> call.suspendedSince().stream())
                .sorted()
                .toList();
        return new Status(since.size(), since.stream().findFirst(), lapsed.get());
    }

    SuspendedCallSettings settings() {
        return settings;
    }

    ResumeTokens tokens() {
        return tokens;
    }

    /** Begins a call that can be suspended. */
    void begin(TranslatedServer server, Next next, PipelineCall request) {
        try {
            begin(server, next, request, InputResponses.read(request.request()));
        } catch (ProtocolException wrong) {
            request.complete(MultiRoundMessages.invalid(wrong.failure().message()));
        }
    }

    private void begin(TranslatedServer server, Next next, PipelineCall request, InputResponses early) {
        new SuspendableCall(this, server, request, lastId.incrementAndGet(), early).begin(next, request);
    }

    /** Continues the call that a request belongs to, or repeats it; false if the request has no token of this bridge. */
    boolean resume(TranslatedServer server, Next next, PipelineCall request) {
        var token = tokens.open(server, request);
        token.ifPresent(found -> resume(found, server, next, request));
        return token.isPresent();
    }

    private void resume(ResumeTokens.Token token, TranslatedServer server, Next next, PipelineCall request) {
        InputResponses responses;
        try {
            responses = InputResponses.read(request.request());
        } catch (ProtocolException wrong) {
            request.complete(MultiRoundMessages.invalid(wrong.failure().message()));
            return;
        }
        if (token instanceof ResumeTokens.Suspended suspended) {
            Optional.ofNullable(calls.get(suspended.call()))
                    .ifPresentOrElse(
                            call -> call.resume(request, suspended.round(), responses),
                            () -> request.complete(lapsedOutcome()));
        } else {
            repeat((ResumeTokens.Repeat) token, server, next, request, responses);
        }
    }

    private void repeat(
            ResumeTokens.Repeat token,
            TranslatedServer server,
            Next next,
            PipelineCall request,
            InputResponses responses) {
        if (environment.timekeeper().nanoTime() - token.until() > 0) {
            request.complete(lapsedOutcome());
            return;
        }
        new UrlElicitationTranslator(server, tokens)
                .refusal(request, token, responses)
                .ifPresentOrElse(request::complete, () -> begin(server, next, request, InputResponses.NONE));
    }

    /** The outcome of a request that comes too late. */
    Outcome lapsedOutcome() {
        var words = "the call that 'requestState' belongs to has ended or lapsed: it is kept for %d s, which is the"
                + " limit 'suspended-calls.expiry'; repeat the call without 'requestState'";
        return MultiRoundMessages.invalid(words.formatted(settings.expiry().toSeconds()));
    }

    /** Adds a call until it {@linkplain #leave leaves}; returns the failure if a limit is reached. */
    Optional<Failure> admit(SuspendableCall call) {
        admission.lock();
        try {
            if (calls.containsKey(call.id())) {
                return Optional.empty();
            }
            if (calls.size() >= settings.maxCalls()) {
                return Optional.of(full(settings.maxCalls(), "max-calls"));
            }
            var ofPrincipal = calls.values().stream()
                    .filter(other -> other.principal().equals(call.principal()))
                    .count();
            if (ofPrincipal >= settings.maxCallsPerPrincipal()) {
                return Optional.of(full(settings.maxCallsPerPrincipal(), "max-calls-per-principal"));
            }
            calls.put(call.id(), call);
            return Optional.empty();
        } finally {
            admission.unlock();
        }
    }

    /** The server has begun the call. */
    private static Failure full(int limit, String key) {
        var words =
                "%d calls are suspended already until their clients answer, which is the limit 'suspended-calls.%s'";
        return Failure.of(ErrorCode.OVERLOADED, words.formatted(limit, key)).withDelivery(Delivery.UNKNOWN);
    }

    void leave(SuspendableCall call) {
        calls.remove(call.id(), call);
    }

    void lapse(SuspendableCall call) {
        lapsed.incrementAndGet();
        leave(call);
    }

    long expiresAt() {
        return environment.timekeeper().nanoTime() + settings.expiry().toNanos();
    }
}
