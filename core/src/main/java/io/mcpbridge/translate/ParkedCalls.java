package io.mcpbridge.translate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.ParkingSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.seal.Seal;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.Environment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The calls of modern clients whose legacy servers wait for answers. One for all servers of a bridge; any thread.
 *
 * <p>What a client carries to and fro is sealed: it opens only for the same user, the same server and the same request.
 */
public final class ParkedCalls {
    private static final String PURPOSE = "parked-call";

    private volatile ParkingSettings settings;
    private final Environment environment;
    private final Seal seal = new Seal();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicLong lapsed = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Long, ParkedCall> calls = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<Principal, Integer> perPrincipal = new HashMap<>();

    public ParkedCalls(ParkingSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
    }

    /** Puts other limits in place of those that held; calls that are parked stay so as long as they were told. */
    public void limit(ParkingSettings newSettings) {
        settings = newSettings;
    }

    /** How many there are, for operators. */
    public ParkedStatus status() {
        var since = all().stream()
                .flatMap(call -> call.parkedSince().stream())
                .sorted()
                .toList();
        return new ParkedStatus(since.size(), since.stream().findFirst(), lapsed.get());
    }

    /** A copy, so that no lock is held while calls are looked at: they come here under their own. */
    private List<ParkedCall> all() {
        lock.lock();
        try {
            return List.copyOf(calls.values());
        } finally {
            lock.unlock();
        }
    }

    ParkingSettings settings() {
        return settings;
    }

    /** Makes a call that can be parked. */
    void begin(ServerSide server, Handler next, Leg leg) {
        InputAnswers early;
        try {
            early = InputAnswers.read(leg.call().request());
        } catch (ProtocolException wrong) {
            leg.refuse(wrong.failure().message());
            return;
        }
        begin(server, next, leg, early);
    }

    private void begin(ServerSide server, Handler next, Leg leg, InputAnswers early) {
        var first = leg.call().withRequest(MultiRound.first(leg.call().request()));
        new ParkedCall(this, server, first, lastId.incrementAndGet(), early).begin(next, leg);
    }

    /** What the call's {@code requestState} says, if this bridge has sealed it for such a call of such a caller. */
    Optional<Ticket> ticket(ServerSide server, Call call) {
        return call.request()
                .text(Part.REQUEST_STATE)
                .filter(Seal::isSealed)
                .flatMap(state -> seal.open(PURPOSE, binding(server, call), state))
                .flatMap(Ticket::parse);
    }

    String seal(ServerSide server, Call call, Ticket ticket) {
        return seal.seal(PURPOSE, binding(server, call), ticket.text());
    }

    private static String binding(ServerSide server, Call call) {
        var principal = call.caller().principal();
        return String.join("\n", principal.proof(), principal.name(), server.name(), RequestDigest.of(call.request()));
    }

    /** Goes on with a call, or makes it again, as its ticket says. */
    void resume(Ticket ticket, ServerSide server, Handler next, Leg leg) {
        InputAnswers answers;
        try {
            answers = InputAnswers.read(leg.call().request());
        } catch (ProtocolException wrong) {
            leg.refuse(wrong.failure().message());
            return;
        }
        if (ticket instanceof Ticket.Parked parked) {
            find(parked.call())
                    .ifPresentOrElse(
                            call -> call.resume(leg, parked.round(), answers), () -> leg.refuse(lapsedWords()));
        } else {
            again((Ticket.Again) ticket, server, next, leg, answers);
        }
    }

    private void again(Ticket.Again ticket, ServerSide server, Handler next, Leg leg, InputAnswers answers) {
        if (environment.timekeeper().nanoTime() - ticket.until() > 0) {
            leg.refuse(lapsedWords());
            return;
        }
        var refused = new UrlElicitations(this, server).judge(leg, ticket, answers);
        if (refused.isPresent()) {
            leg.end(refused.get());
        } else {
            begin(server, next, leg, InputAnswers.NONE);
        }
    }

    String lapsedWords() {
        return "the call that 'requestState' belongs to has ended or lapsed: it is kept for %d s, which is the limit 'parking.expiry'; make the call anew, without 'requestState'"
                .formatted(settings.expiry().toSeconds());
    }

    private Optional<ParkedCall> find(long id) {
        lock.lock();
        try {
            return Optional.ofNullable(calls.get(id));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes room for a call, which is there until it {@linkplain #leave leaves}; tells what is wrong if there is
     * none.
     */
    Optional<Failure> admit(ParkedCall call) {
        lock.lock();
        try {
            if (calls.containsKey(call.id())) {
                return Optional.empty();
            }
            var mine = perPrincipal.getOrDefault(call.principal(), 0);
            if (calls.size() >= settings.maxCalls()) {
                return Optional.of(full(settings.maxCalls(), "max-calls"));
            }
            if (mine >= settings.maxCallsPerPrincipal()) {
                return Optional.of(full(settings.maxCallsPerPrincipal(), "max-calls-per-principal"));
            }
            calls.put(call.id(), call);
            perPrincipal.put(call.principal(), mine + 1);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static Failure full(int limit, String key) {
        var words = "%d calls are parked already while their clients look for answers, which is the limit 'parking.%s'";
        return Failure.of(ErrorCode.OVERLOADED, words.formatted(limit, key));
    }

    void leave(ParkedCall call) {
        lock.lock();
        try {
            if (calls.remove(call.id(), call)) {
                perPrincipal.computeIfPresent(call.principal(), (who, count) -> count == 1 ? null : count - 1);
            }
        } finally {
            lock.unlock();
        }
    }

    void lapse(ParkedCall call) {
        lapsed.incrementAndGet();
        leave(call);
    }

    long expiresAt() {
        return environment.timekeeper().nanoTime() + settings.expiry().toNanos();
    }
}
