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
 * What a stage may know of the server that it stands before, and do with it. Any thread may use it.
 *
 * <p>Core makes one for each stage of each server. One that a test makes knows nothing beyond what it is given.
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

    /** One for a stage of {@code server} that knows nothing else and does nothing. */
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

    /** With the section of the stage, which is in the configuration. */
    public StageContext withSettings(Settings section) {
        return with(copy -> {
            copy.settings = section;
            copy.configured = true;
        });
    }

    /** With the name of this run of the daemon. */
    public StageContext withInstance(String value) {
        return with(copy -> copy.instance = value);
    }

    /** With what is said of the tool that is called, trusted or not. */
    public StageContext withHints(Function<Call, ToolHints> value) {
        return with(copy -> copy.hints = value);
    }

    public StageContext withDigest(Function<Call, String> value) {
        return with(copy -> copy.digest = value);
    }

    /** With the era in which the server speaks, as far as that is known. */
    public StageContext withEra(Supplier<Optional<Era>> value) {
        return with(copy -> copy.era = value);
    }

    public StageContext withProbe(BiConsumer<Caller, Completion> value) {
        return with(copy -> copy.probe = value);
    }

    /** With what says which tool a call is of. */
    public StageContext withTools(BiConsumer<Call, ToolListener> value) {
        return with(copy -> copy.tools = value);
    }

    public StageContext withPublisher(Consumer<BridgeEvent> value) {
        return with(copy -> copy.publisher = value);
    }

    /** With what takes the listeners to changes. */
    public StageContext withChanges(Consumer<Consumer<String>> value) {
        return with(copy -> copy.changes = value);
    }

    /** The configured name of the server. */
    public String server() {
        return server;
    }

    /** The stage's section: that of the server, over that of the bridge; empty where neither stands. */
    public Settings settings() {
        return settings;
    }

    /** Whether the section stands anywhere, be it empty. */
    public boolean isConfigured() {
        return configured;
    }

    public Environment environment() {
        return environment;
    }

    /** The name of this run of the daemon, by which other bridges know that it has not restarted; empty elsewhere. */
    public String instance() {
        return instance;
    }

    /** The hints about the called tool: the operator's word, else a trusted server's, else the defaults. */
    public ToolHints hints(Call call) {
        return hints.apply(call).believed();
    }

    /** A short text that is the same for calls that ask the same, however they are written; says nothing of who asks. */
    public String digest(Call call) {
        return digest.apply(call);
    }

    /** The era that the server spoke when it was connected last; empty before that. */
    public Optional<Era> era() {
        return era.get();
    }

    /**
     * Asks the server for a sign of life in a session that {@code caller} would use, connecting it where needed. An
     * answer of any kind is one.
     */
    public void probe(Caller caller, Completion completion) {
        probe.accept(caller, completion);
    }

    /** Tells {@code listener} which tool a call is of; the server is asked where it has not listed one of that name. */
    public void tool(Call call, ToolListener listener) {
        tools.accept(call, listener);
    }

    /** Publishes an event of the bridge. */
    public void publish(BridgeEvent event) {
        publisher.accept(event);
    }

    /**
     * Lets {@code listener} hear when something that the server told before may be otherwise now: the method of the
     * server's notification, or the empty string when it was connected again. Never waits.
     */
    public void onChanged(Consumer<String> listener) {
        changes.accept(listener);
    }

    /** Hears once what tool a call is of. Never waits. */
    public interface ToolListener {

        /** As its server lists it. */
        void found(ToolDefinition tool);

        /** Its server does not say now what it has, or another part decides whether the tool may be called. */
        void undecided();

        /** There is no such tool, or the call was withdrawn meanwhile. */
        void refused(Failure why);
    }
}
