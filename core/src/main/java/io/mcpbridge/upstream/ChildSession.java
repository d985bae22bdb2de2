package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.toolcalls.IsolatedChild;
import java.util.Map;
import java.util.Optional;

/** The session of a process that is there for one call. Any thread. */
final class ChildSession implements IsolatedChild {
    private final ChildKind kind;
    private final UpstreamSession session;
    private final ChildListener listener;
    private final Map<String, ToolDefinition> tools;

    /** @param tools what it listed, where it was asked */
    ChildSession(ChildKind kind, UpstreamSession session, ChildListener listener, Map<String, ToolDefinition> tools) {
        this.kind = kind;
        this.session = session;
        this.listener = listener;
        this.tools = Map.copyOf(tools);
    }

    @Override
    public ChildKind kind() {
        return kind;
    }

    @Override
    public Map<String, ToolDefinition> tools() {
        return listener.hasOtherTools() ? Map.of() : tools;
    }

    @Override
    public void serve(Call call, Reply reply, CallQueue.Place place) {
        listener.serve(call.caller());
        session.occupied();
        session.send(call, reply, place);
    }

    @Override
    public boolean wasWorthIt() {
        return session.use().wasWorthIt();
    }

    @Override
    public Optional<Failure> failure() {
        return session.ending().why().map(Closed::toFailure);
    }

    @Override
    public void hangUp() {
        session.hangUp();
    }

    @Override
    public void end() {
        session.close();
    }

    @Override
    public void kill() {
        session.kill();
    }
}
