package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.isolation.ChildKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts one process that will have one call: opens a session and, where only approved tools may be called, has it list
 * its tools. All of that is over before a call comes, as a rule. Used once; nothing waits.
 */
final class IsolatedStart implements SessionOpening.Ending {

    /** Hears how starts end, and later of the ends of what was started. */
    interface Ending {
        void started(IsolatedStart start, IsolatedChild child);

        void failed(IsolatedStart start, Failure why);

        /** After it has failed: its process is gone. */
        void gone(IsolatedStart start);

        void ended(IsolatedChild child, Failure why);
    }

    private final UpstreamParts parts;
    private final ChildKind kind;
    private final boolean isListing;
    private final IsolatedListener listener;
    private final SessionOpening opening;
    private final Ending ending;
    private volatile @Nullable IsolatedChild child;

    /** @param isListing whether it lists its tools */
    IsolatedStart(
            UpstreamParts parts,
            EraMemory eras,
            SlotListener.Unasked unasked,
            ChildKind kind,
            Caller caller,
            boolean isListing,
            Ending ending) {
        this.parts = parts;
        this.kind = kind;
        this.isListing = isListing;
        this.ending = ending;
        this.listener = new IsolatedListener(unasked, eras, this::closed);
        this.opening = new SessionOpening(parts, () -> parts.transport(kind.memoryMb()), eras, caller, listener, this);
    }

    void begin() {
        opening.begin();
    }

    /** Asks what is there of it to end, without waiting. */
    void hangUp() {
        opening.hangUp();
    }

    /** Ends what is there of it; may wait. */
    void giveUp() {
        opening.giveUp();
    }

    /** Kills what is there of it; may wait. */
    void kill() {
        opening.kill();
    }

    ChildKind kind() {
        return kind;
    }

    @Override
    public boolean startsAgain() {
        return true;
    }

    @Override
    public void opened(SessionOpening done, UpstreamSession session, ServerProfile profile) {
        if (profile.version().era() == Era.LEGACY && profile.declares("logging")) {
            session.attendants().logLevel().begin();
        }
        if (isListing && profile.declares("tools")) {
            new ChildTools(session, parts, tools -> ready(session, tools), why -> unlisted(session, why)).ask();
        } else {
            ready(session, Map.of());
        }
    }

    private void unlisted(UpstreamSession session, Failure why) {
        ending.failed(this, failure(why));
        parts.later(() -> {
            try {
                session.kill();
            } finally {
                ending.gone(this);
            }
        });
    }

    private void ready(UpstreamSession session, Map<String, ToolDefinition> tools) {
        var made = new IsolatedChild(kind, session, listener, tools);
        child = made;
        ending.started(this, made);
    }

    @Override
    public void failed(SessionOpening failed, Failure why) {
        ending.failed(this, failure(why));
    }

    @Override
    public void gone(SessionOpening failed) {
        ending.gone(this);
    }

    private Failure failure(Failure why) {
        return why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
    }

    private void closed(UpstreamSession session, Closed why) {
        var made = child;
        if (made != null) {
            ending.ended(made, failure(why.toFailure()));
        }
    }
}
