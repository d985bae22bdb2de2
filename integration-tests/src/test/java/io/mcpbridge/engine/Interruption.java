package io.mcpbridge.engine;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.admission.KnownTools;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Knows every tool, and has something else happen once a call has found its place, before it is kept or sent there. */
final class Interruption implements KnownTools {
    private static final ToolDefinition TOOL = ToolDefinition.parse("{\"name\":\"ask\"}");

    private final AtomicReference<Runnable> next = new AtomicReference<>(() -> {});

    /** What happens as the next call has found its place. */
    void atNextCall(Runnable what) {
        next.set(what);
    }

    @Override
    public long lastChange(Caller caller) {
        next.getAndSet(() -> {}).run();
        return 0;
    }

    @Override
    public Optional<ToolDefinition> find(Caller caller, String tool) {
        return Optional.of(TOOL);
    }

    @Override
    public boolean isCurrent(Caller caller, long change) {
        return true;
    }

    @Override
    public void learn(Caller caller, Runnable then, Consumer<Failure> failed) {
        then.run();
    }

    @Override
    public void refresh(Caller caller, long change, Consumer<Optional<Failure>> then) {
        then.accept(Optional.empty());
    }
}
