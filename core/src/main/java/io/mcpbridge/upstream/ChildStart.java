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
import io.mcpbridge.upstream.toolcalls.IsolatedChild;
import io.mcpbridge.upstream.toolcalls.IsolatedStart;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts one process that will have one call: opens a session and, where only approved tools may be called, has it list
 * its tools. All of that is over before a call comes, as a rule. Used once; nothing waits.
 */
final class ChildStart implements IsolatedStart, SessionOpening.Ending {
    private final UpstreamParts parts;
    private final ChildKind kind;
    private final boolean isListing;
    private final ChildListener listener;
    private final SessionOpening opening;
    private final IsolatedStart.Ending ending;
    private volatile @Nullable IsolatedChild child;

    /** @param isListing whether it lists its tools */
    ChildStart(
            UpstreamParts parts,
            EraMemory eras,
            SlotListener.Unasked unasked,
            ChildKind kind,
            Caller caller,
            boolean isListing,
            IsolatedStart.Ending ending) {
        this.parts = parts;
        this.kind = kind;
        this.isListing = isListing;
        this.ending = ending;
        this.listener = new ChildListener(unasked, eras, this::closed);
        this.opening = new SessionOpening(parts, () -> parts.transport(kind.memoryMb()), eras, caller, listener, this);
    }

    @Override
    public void begin() {
        opening.begin();
    }

    @Override
    public void hangUp() {
        opening.hangUp();
    }

    @Override
    public void giveUp() {
        parts.later(opening::giveUp);
    }

    @Override
    public void kill() {
        parts.later(opening::kill);
    }

    @Override
    public ChildKind kind() {
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
        var made = new ChildSession(kind, session, listener, tools);
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
