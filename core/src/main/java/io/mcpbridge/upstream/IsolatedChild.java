package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.PooledChild;
import java.util.Map;
import java.util.Optional;

/** A session, with a process of its own, that is there for one call. Any thread. */
final class IsolatedChild implements PooledChild {
    private final ChildKind kind;
    private final UpstreamSession session;
    private final IsolatedListener listener;
    private final Map<String, ToolDefinition> tools;

    /** @param tools what it listed, where it was asked */
    IsolatedChild(
            ChildKind kind, UpstreamSession session, IsolatedListener listener, Map<String, ToolDefinition> tools) {
        this.kind = kind;
        this.session = session;
        this.listener = listener;
        this.tools = Map.copyOf(tools);
    }

    @Override
    public ChildKind kind() {
        return kind;
    }

    UpstreamSession session() {
        return session;
    }

    /** What it has, as far as it was asked and has not said otherwise since. */
    Map<String, ToolDefinition> tools() {
        return listener.hasOtherTools() ? Map.of() : tools;
    }

    /** Its call begins; whom it asks from here on is the one who made that. */
    void serve(Caller caller) {
        listener.serve(caller);
        session.occupied();
    }

    @Override
    public Optional<Failure> failure() {
        return session.end().map(Closed::toFailure);
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
