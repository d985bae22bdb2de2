package io.mcpbridge.engine.translation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Long, SuspendedCall> calls = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<Principal, Integer> perPrincipal = new HashMap<>();

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
        var since = all().stream()
                .flatMap(call -> call.suspendedSince().stream())
                .sorted()
                .toList();
        return new Status(since.size(), since.stream().findFirst(), lapsed.get());
    }

    /** A copy, because a call takes this lock while it holds its own. */
    private List<SuspendedCall> all() {
        lock.lock();
        try {
            return List.copyOf(calls.values());
        } finally {
            lock.unlock();
        }
    }

    SuspendedCallSettings settings() {
        return settings;
    }

    ResumeTokens tokens() {
        return tokens;
    }

    /** Begins a call that can be suspended. */
    void begin(ServerSide server, Next next, PipelineCall request) {
        try {
            begin(server, next, request, InputResponses.read(request.request()));
        } catch (ProtocolException wrong) {
            request.complete(MultiRound.invalid(wrong.failure().message()));
        }
    }

    private void begin(ServerSide server, Next next, PipelineCall request, InputResponses early) {
        new SuspendedCall(this, server, request, lastId.incrementAndGet(), early).begin(next, request);
    }

    /** Continues the call that a request belongs to, or repeats it; false if the request has no token of this bridge. */
    boolean resume(ServerSide server, Next next, PipelineCall request) {
        var token = tokens.open(server, request);
        token.ifPresent(found -> resume(found, server, next, request));
        return token.isPresent();
    }

    private void resume(ResumeTokens.Token token, ServerSide server, Next next, PipelineCall request) {
        InputResponses responses;
        try {
            responses = InputResponses.read(request.request());
        } catch (ProtocolException wrong) {
            request.complete(MultiRound.invalid(wrong.failure().message()));
            return;
        }
        if (token instanceof ResumeTokens.Suspended suspended) {
            find(suspended.call())
                    .ifPresentOrElse(
                            call -> call.resume(request, suspended.round(), responses),
                            () -> request.complete(lapsedOutcome()));
        } else {
            repeat((ResumeTokens.Repeat) token, server, next, request, responses);
        }
    }

    private void repeat(
            ResumeTokens.Repeat token, ServerSide server, Next next, PipelineCall request, InputResponses responses) {
        if (environment.timekeeper().nanoTime() - token.until() > 0) {
            request.complete(lapsedOutcome());
            return;
        }
        new UrlElicitations(server, tokens)
                .refusal(request, token, responses)
                .ifPresentOrElse(request::complete, () -> begin(server, next, request, InputResponses.NONE));
    }

    /** The outcome of a request that comes too late. */
    Outcome lapsedOutcome() {
        var words = "the call that 'requestState' belongs to has ended or lapsed: it is kept for %d s, which is the"
                + " limit 'suspended-calls.expiry'; make the call anew, without 'requestState'";
        return MultiRound.invalid(words.formatted(settings.expiry().toSeconds()));
    }

    private Optional<SuspendedCall> find(long id) {
        lock.lock();
        try {
            return Optional.ofNullable(calls.get(id));
        } finally {
            lock.unlock();
        }
    }

    /** Adds a call until it {@linkplain #leave leaves}; returns the failure if a limit is reached. */
    Optional<Failure> admit(SuspendedCall call) {
        lock.lock();
        try {
            if (calls.containsKey(call.id())) {
                return Optional.empty();
            }
            var ofPrincipal = perPrincipal.getOrDefault(call.principal(), 0);
            if (calls.size() >= settings.maxCalls()) {
                return Optional.of(full(settings.maxCalls(), "max-calls"));
            }
            if (ofPrincipal >= settings.maxCallsPerPrincipal()) {
                return Optional.of(full(settings.maxCallsPerPrincipal(), "max-calls-per-principal"));
            }
            calls.put(call.id(), call);
            perPrincipal.put(call.principal(), ofPrincipal + 1);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static Failure full(int limit, String key) {
        var words =
                "%d calls are suspended already until their clients answer, which is the limit 'suspended-calls.%s'";
        return Failure.of(ErrorCode.OVERLOADED, words.formatted(limit, key));
    }

    void leave(SuspendedCall call) {
        lock.lock();
        try {
            if (calls.remove(call.id(), call)) {
                perPrincipal.computeIfPresent(call.principal(), (who, count) -> count == 1 ? null : count - 1);
            }
        } finally {
            lock.unlock();
        }
    }

    void lapse(SuspendedCall call) {
        lapsed.incrementAndGet();
        leave(call);
    }

    long expiresAt() {
        return environment.timekeeper().nanoTime() + settings.expiry().toNanos();
    }
}
