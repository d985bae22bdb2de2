package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolHints;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Gives a stage the settings, the metadata and the operations of its server. Any thread may use it.
 *
 * <p>The engine creates one for each stage of each server. A test creates one with {@link #of}, and sets only the parts
 * that it needs.
 */
public final class StageContext {
    private final String server;
    private final Environment environment;
    private Settings settings = Settings.of(Map.of());
    private boolean configured;
    private String instance = "";
    private Function<Call, ToolHints> hints = call -> ToolHints.UNDECLARED;
    private Function<Call, String> digest = call -> call.request().json();
    private Supplier<Optional<Era>> era = Optional::empty;
    private BiConsumer<Caller, Completion> probe = (caller, completion) -> completion.succeeded();
    private BiConsumer<Call, ToolListener> tools = (call, listener) -> listener.undecided();
    private Consumer<BridgeEvent> publisher = event -> {};
    private Consumer<Consumer<String>> changes = listener -> {};

    private StageContext(String server, Environment environment) {
        this.server = server;
        this.environment = environment;
    }

    /** A context with the defaults: no settings, no metadata, and operations that do nothing. */
    public static StageContext of(String server, Environment environment) {
        return new StageContext(server, environment);
    }

    /** A copy that only this class sees while it changes. */
    private StageContext with(Consumer<StageContext> change) {
        var copy = new StageContext(server, environment);
        copy.settings = settings;
        copy.configured = configured;
        copy.instance = instance;
        copy.hints = hints;
        copy.digest = digest;
        copy.era = era;
        copy.probe = probe;
        copy.tools = tools;
        copy.publisher = publisher;
        copy.changes = changes;
        change.accept(copy);
        return copy;
    }

    /** A copy with the section of the stage, which the configuration has. */
    public StageContext withSettings(Settings section) {
        return with(copy -> {
            copy.settings = section;
            copy.configured = true;
        });
    }

    /** A copy with the name of this run of the daemon. */
    public StageContext withInstance(String value) {
        return with(copy -> copy.instance = value);
    }

    /** A copy with a source of hints about the called tool, trusted or not. */
    public StageContext withHints(Function<Call, ToolHints> value) {
        return with(copy -> copy.hints = value);
    }

    public StageContext withDigest(Function<Call, String> value) {
        return with(copy -> copy.digest = value);
    }

    /** A copy with a source of the server's era; empty if unknown. */
    public StageContext withEra(Supplier<Optional<Era>> value) {
        return with(copy -> copy.era = value);
    }

    public StageContext withProbe(BiConsumer<Caller, Completion> value) {
        return with(copy -> copy.probe = value);
    }

    /** A copy with a lookup of the called tool. */
    public StageContext withTools(BiConsumer<Call, ToolListener> value) {
        return with(copy -> copy.tools = value);
    }

    public StageContext withPublisher(Consumer<BridgeEvent> value) {
        return with(copy -> copy.publisher = value);
    }

    /** A copy with a function that registers listeners to changes. */
    public StageContext withChanges(Consumer<Consumer<String>> value) {
        return with(copy -> copy.changes = value);
    }

    /** The configured name of the server. */
    public String server() {
        return server;
    }

    /** The stage's section: that of the server, over that of the bridge; empty if neither exists. */
    public Settings settings() {
        return settings;
    }

    /** Whether the configuration has the section, even if it is empty. */
    public boolean isConfigured() {
        return configured;
    }

    public Environment environment() {
        return environment;
    }

    /**
     * The name of this run of the daemon, from which other bridges see whether it has restarted; empty outside of the
     * daemon.
     */
    public String instance() {
        return instance;
    }

    /** The hints about the called tool: those of the operator, else of a trusted server, else the defaults. */
    public ToolHints hints(Call call) {
        return hints.apply(call).believed();
    }

    /**
     * A short digest of the request, equal for equivalent requests regardless of their formatting; independent of the
     * caller.
     */
    public String digest(Call call) {
        return digest.apply(call);
    }

    /** The era of the latest connection to the server; empty before the first one. */
    public Optional<Era> era() {
        return era.get();
    }

    /**
     * Probes the server in a session that {@code caller} would use, and connects first if needed. Any answer is a
     * success.
     */
    public void probe(Caller caller, Completion completion) {
        probe.accept(caller, completion);
    }

    /** Passes the called tool to {@code listener}; asks the server if it has not listed a tool of that name. */
    public void tool(Call call, ToolListener listener) {
        tools.accept(call, listener);
    }

    /** Publishes an event of the bridge. */
    public void publish(BridgeEvent event) {
        publisher.accept(event);
    }

    /**
     * Registers {@code listener} for changes that may invalidate earlier answers of the server. The listener receives
     * the method of the server's notification, or the empty string after a reconnect. It must not block.
     */
    public void onChanged(Consumer<String> listener) {
        changes.accept(listener);
    }

    /** Receives the called tool, once. Never blocks. */
    public interface ToolListener {

        /** The tool exists; {@code tool} is the definition that its server lists. */
        void found(ToolDefinition tool);

        /** The server's list is not available now, or another part decides whether clients may call the tool. */
        void undecided();

        /** The tool does not exist, or the call was cancelled meanwhile. */
        void refused(Failure why);
    }
}
