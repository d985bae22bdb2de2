package io.mcpbridge.upstream.introduction;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ProtocolChoice;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.introduction.EraVerdict.Evidence;
import io.mcpbridge.upstream.session.SessionLine;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Introduces the bridge to a server over a new connection, in the era that is configured, known or found out. Used
 * once; nobody waits for it.
 *
 * <p>What is known is believed until the server contradicts it: a server of the legacy era that does not know {@code
 * initialize} any more is asked what it is, and a modern one that does not know {@code server/discover} gets a
 * handshake.
 */
public final class EraSearch {

    /** Hears once how it ended. */
    public interface Ending {

        void ready(ServerProfile profile);

        void refused(Failure why);

        /** The server ends when it is asked; a new connection needs the handshake at once. */
        void endedWhenAsked(Failure why);
    }

    /**
     * What it takes to introduce the bridge to one server.
     *
     * @param settings the server's section of the configuration
     * @param identity what the bridge says of itself
     * @param memory what is known of the server's era
     */
    public record Means(ServerSettings settings, Identity identity, EraMemory memory, Timekeeper timekeeper) {}

    private final Means means;
    private final EraMemory memory;
    private final SessionLine session;
    private final Caller caller;
    private final Deadline deadline;
    private final Ending ending;
    private @Nullable Era known;
    private boolean wasAsked;

    /**
     * Prepares to introduce the bridge over {@code session}.
     *
     * @param caller for whom the session is opened
     * @param deadline for the whole opening
     */
    public EraSearch(Means means, SessionLine session, Caller caller, Deadline deadline, Ending ending) {
        this.means = means;
        this.memory = means.memory();
        this.session = session;
        this.caller = caller;
        this.deadline = deadline;
        this.ending = ending;
        this.known = memory.known().orElse(null);
    }

    /** Begins with what is configured or known, else asks. */
    public void begin() {
        if (choice() == ProtocolChoice.LEGACY) {
            initialize(Optional.of(Evidence.CONFIGURED));
        } else if (choice() == ProtocolChoice.AUTO && known == Era.LEGACY) {
            initialize(Optional.empty());
        } else {
            discover();
        }
    }

    /** Goes on after {@link Ending#endedWhenAsked}, over another connection. */
    public void beginWithHandshake() {
        wasAsked = true;
        initialize(Optional.of(Evidence.ENDED));
    }

    private ProtocolChoice choice() {
        return means.settings().protocol();
    }

    private void discover() {
        wasAsked = true;
        new Discovery(session, caller, means.identity(), deadline, patience(), this::found).begin();
    }

    /** A server that may be of the legacy era must leave time for its handshake. */
    private Deadline patience() {
        if (!session.sharesStream() || !mayBeLegacy()) {
            return deadline;
        }
        var half = deadline.remaining().dividedBy(2);
        var patience = means.settings().probeTimeout();
        var shorter = patience.compareTo(half) < 0 ? patience : half;
        return Deadline.after(shorter.isZero() ? Duration.ofNanos(1) : shorter, means.timekeeper());
    }

    /** Silence and an ending say something only of a server that has not been seen to be modern. */
    private boolean mayBeLegacy() {
        return choice() == ProtocolChoice.AUTO && known != Era.MODERN;
    }

    private void found(Discovery.Finding finding) {
        if (finding instanceof Discovery.Finding.Modern modern) {
            memory.settle(modern.profile().version(), Evidence.DISCOVERED);
            ending.ready(modern.profile());
        } else if (finding instanceof Discovery.Finding.Legacy legacy) {
            refusedToDiscover(legacy.words());
        } else if (finding instanceof Discovery.Finding.Silence) {
            silent();
        } else if (finding instanceof Discovery.Finding.Ended ended) {
            ended(ended.why());
        } else {
            ending.refused(((Discovery.Finding.Unclear) finding).why());
        }
    }

    private void refusedToDiscover(String words) {
        if (choice() == ProtocolChoice.MODERN) {
            ending.refused(notModern("answered 'server/discover' with " + words));
            return;
        }
        initialize(Optional.of(Evidence.REFUSED));
    }

    private void silent() {
        if (mayBeLegacy() && session.sharesStream()) {
            initialize(Optional.of(Evidence.SILENT));
            return;
        }
        var message = "'server/discover' to server '%s' timed out after %d ms";
        ending.refused(Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                message.formatted(session.server(), deadline.span().toMillis())));
    }

    private void ended(Failure why) {
        if (mayBeLegacy()) {
            ending.endedWhenAsked(why);
            return;
        }
        memory.doubt();
        ending.refused(why);
    }

    private Failure notModern(String what) {
        return Failure.of(
                ErrorCode.PROVIDER_INIT_FAILED,
                "server '%s' does not speak %s, which 'protocol' demands: it %s; write 'protocol': 'auto'"
                        .formatted(session.server(), choice().text(), what));
    }

    /** Shakes hands; {@code evidence} shows that the server is of the legacy era, and is empty where that was known. */
    private void initialize(Optional<Evidence> evidence) {
        new Handshake(session, caller, means.identity(), deadline, new Handshake.Ending() {
                    @Override
                    public void ready(ServerProfile profile) {
                        evidence.ifPresent(shown -> memory.settle(profile.version(), shown));
                        ending.ready(profile);
                    }

                    @Override
                    public void refused(Failure why, Optional<Response> error) {
                        refusedToInitialize(why, error);
                    }
                })
                .begin();
    }

    private void refusedToInitialize(Failure why, Optional<Response> error) {
        if (choice() == ProtocolChoice.AUTO && error.filter(this::isReasonToAsk).isPresent()) {
            known = wasAsked ? Era.MODERN : null;
            memory.doubt();
            discover();
            return;
        }
        ending.refused(why);
    }

    /** One that was asked before and says now that it is modern was slow to start; it is asked once more. */
    private boolean isReasonToAsk(Response error) {
        return wasAsked ? known != Era.MODERN && VersionRefusal.asksForModern(error) : isModernWord(error);
    }

    private static boolean isModernWord(Response error) {
        return VersionRefusal.isOne(error)
                || error.raw(Part.ERROR_CODE).filter("-32601"::equals).isPresent();
    }
}
