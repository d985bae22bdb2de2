package io.mcpbridge.upstream.introduction;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.ModernDialect;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.session.SessionLine;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Asks a server over a new connection what it is: {@code server/discover}, which only the modern era knows, and what
 * the answer to it proves. Used once.
 */
final class Discovery {

    /** What the question showed. */
    sealed interface Finding {

        /** The server is modern. */
        record Modern(ServerProfile profile) implements Finding {}

        /** The server answered as one of the legacy era does; {@code words} say how. */
        record Legacy(String words) implements Finding {}

        /** Nothing came in time. */
        record Silence() implements Finding {}

        /** The connection ended, which is how some servers of the legacy era answer. */
        record Ended(Failure why) implements Finding {}

        /** Something else went wrong, which says nothing of the era. */
        record Unclear(Failure why) implements Finding {}
    }

    private final SessionLine session;
    private final Caller caller;
    private final Identity identity;
    private final Deadline deadline;
    private final Deadline patience;
    private final Consumer<Finding> ending;
    private boolean isSecond;

    /**
     * Prepares to ask.
     *
     * @param deadline for the whole opening
     * @param patience until when an answer must be there
     */
    Discovery(
            SessionLine session,
            Caller caller,
            Identity identity,
            Deadline deadline,
            Deadline patience,
            Consumer<Finding> ending) {
        this.session = session;
        this.caller = caller;
        this.identity = identity;
        this.deadline = deadline;
        this.patience = patience;
        this.ending = ending;
    }

    void begin() {
        ask(ProtocolVersion.LATEST);
    }

    private void ask(ProtocolVersion version) {
        var id = session.mintId();
        var dialect = new ModernDialect(version, identity.clientInfo(), identity.clientId());
        var request = dialect.dress(Request.of(id, Methods.SERVER_DISCOVER, "{}"), id, caller);
        var call = Call.of(request, caller, "discover-" + session.server(), deadline);
        var isOver = new AtomicBoolean();
        var alarm = patience.alarm(() -> {
            if (isOver.compareAndSet(false, true)) {
                giveUp(id, call);
            }
        });
        session.sendOwn(call, Outgoing.of(request, version, patience), new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                alarm.cancel();
                if (isOver.compareAndSet(false, true)) {
                    judge(version, outcome);
                }
            }
        });
    }

    /**
     * A server on a shared stream is not told, since one of the legacy era understands nothing before its handshake.
     */
    private void giveUp(MessageId id, Call call) {
        if (session.sharesStream()) {
            session.forget(id);
        } else {
            call.cancellation().cancel(CancelReason.TIMED_OUT);
        }
        ending.accept(new Finding.Silence());
    }

    private void judge(ProtocolVersion version, Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            judge(version, answered.response());
        } else {
            ending.accept(judge(((Outcome.Failed) outcome).failure()));
        }
    }

    private void judge(ProtocolVersion version, Response response) {
        DiscoveryAnswer answer;
        Optional<ServerProfile> said;
        try {
            answer = DiscoveryAnswer.read(response);
            said = answer.isResult() ? answer.common().map(answer::profile) : Optional.empty();
        } catch (BridgeException | IllegalArgumentException unusable) {
            ending.accept(new Finding.Legacy("an answer that cannot be used: " + unusable.getMessage()));
            return;
        }
        if (said.isPresent()) {
            var profile = said.get();
            session.speak(new ModernDialect(profile.version(), identity.clientInfo(), identity.clientId()));
            ending.accept(new Finding.Modern(profile));
        } else if (answer.common().isPresent() && !isSecond) {
            // It wants another version, or this one once more; asked a third time it might go on for ever.
            isSecond = true;
            ask(answer.common().get());
        } else if (answer.common().isEmpty() && answer.isStrangelyModern()) {
            ending.accept(new Finding.Unclear(initFailed("speaks protocol versions %s, but the bridge knows %s"
                    .formatted(answer.supported(), ProtocolVersion.KNOWN))));
        } else if (answer.common().isPresent()) {
            ending.accept(new Finding.Unclear(
                    initFailed("refuses protocol version %s, which it says it speaks".formatted(version))));
        } else {
            ending.accept(new Finding.Legacy(answer.words()));
        }
    }

    private Finding judge(Failure failure) {
        if (session.isClosed() && session.sharesStream()) {
            return new Finding.Ended(failure);
        }
        var status = failure.status().orElse(0);
        var isClientError = status >= 400 && status < 500;
        // Credentials, time and rate say nothing of the era.
        var saysNothing = status == 401 || status == 403 || status == 408 || status == 429;
        return (isClientError && !saysNothing) || failure.code() == ErrorCode.UPSTREAM_INVALID
                ? new Finding.Legacy(failure.message())
                : new Finding.Unclear(failure);
    }

    private Failure initFailed(String what) {
        return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "server '%s' %s".formatted(session.server(), what));
    }
}
