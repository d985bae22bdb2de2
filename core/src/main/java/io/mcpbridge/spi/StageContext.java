package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.message.Era;
import io.mcpbridge.tool.ToolHints;
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
    private final Settings settings;
    private final boolean configured;
    private final Environment environment;
    private final Function<Call, ToolHints> hints;
    private final Function<Call, String> digest;
    private final Supplier<Optional<Era>> era;
    private final BiConsumer<Caller, Completion> probe;
    private final BiConsumer<Call, ToolHearer> tools;
    private final Consumer<BridgeEvent> publisher;
    private final Consumer<Consumer<String>> changes;

    private StageContext(Builder builder) {
        this.server = builder.server;
        this.settings = builder.settings;
        this.configured = builder.configured;
        this.environment = builder.environment;
        this.hints = builder.hints;
        this.digest = builder.digest;
        this.era = builder.era;
        this.probe = builder.probe;
        this.tools = builder.tools;
        this.publisher = builder.publisher;
        this.changes = builder.changes;
    }

    /** Begins one for a stage of {@code server}. */
    public static Builder of(String server, Environment environment) {
        return new Builder(server, environment);
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

    /** What is known of the tool that is called: the operator's word, else a trusted server's, else the defaults. */
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

    /** Tells {@code hearer} which tool a call is of; the server is asked where it has not listed one of that name. */
    public void tool(Call call, ToolHearer hearer) {
        tools.accept(call, hearer);
    }

    /** Tells whoever watches the bridge. */
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

    /** Collects what a stage may know; what is not set knows nothing and does nothing. */
    public static final class Builder {
        private final String server;
        private final Environment environment;
        private Settings settings = Settings.of(java.util.Map.of());
        private boolean configured;
        private Function<Call, ToolHints> hints = call -> ToolHints.UNDECLARED;
        private Function<Call, String> digest = call -> call.request().json();
        private Supplier<Optional<Era>> era = Optional::empty;
        private BiConsumer<Caller, Completion> probe = (caller, completion) -> completion.succeeded();
        private BiConsumer<Call, ToolHearer> tools = (call, hearer) -> hearer.undecided();
        private Consumer<BridgeEvent> publisher = event -> {};
        private Consumer<Consumer<String>> changes = listener -> {};

        private Builder(String server, Environment environment) {
            this.server = server;
            this.environment = environment;
        }

        /** The section of the stage, which stands somewhere. */
        public Builder settings(Settings section) {
            this.settings = section;
            this.configured = true;
            return this;
        }

        /** What is said of the tool that is called, trusted or not. */
        public Builder hints(Function<Call, ToolHints> value) {
            this.hints = value;
            return this;
        }

        public Builder digest(Function<Call, String> value) {
            this.digest = value;
            return this;
        }

        /** In which era the server speaks, as far as that is known. */
        public Builder era(Supplier<Optional<Era>> value) {
            this.era = value;
            return this;
        }

        public Builder probe(BiConsumer<Caller, Completion> value) {
            this.probe = value;
            return this;
        }

        /** Says which tool a call is of. */
        public Builder tools(BiConsumer<Call, ToolHearer> value) {
            this.tools = value;
            return this;
        }

        public Builder publisher(Consumer<BridgeEvent> value) {
            this.publisher = value;
            return this;
        }

        /** Takes the listeners to changes. */
        public Builder changes(Consumer<Consumer<String>> value) {
            this.changes = value;
            return this;
        }

        public StageContext build() {
            return new StageContext(this);
        }
    }
}
