package io.mcpbridge.spi;

import io.mcpbridge.call.Timekeeper;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What an implementation takes from outside, so that tests and embedders can supply it.
 *
 * <p>Made by the front door or the daemon, which also closes what is behind it. Any thread may use it.
 */
public final class Environment {
    private final Timekeeper timekeeper;
    private final Executor workers;
    private final RandomGenerator random;
    private final Map<String, String> variables;
    private final System.Logger logger;
    private final ProcessLauncher launcher;
    private final Bounds bounds;
    private final Credentials credentials;
    private final KnownSecrets secrets;

    private Environment(Builder builder, Timekeeper timekeeper, Executor workers, ProcessLauncher launcher) {
        this.timekeeper = timekeeper;
        this.workers = workers;
        this.random = builder.random;
        this.variables = builder.variables;
        this.logger = builder.logger;
        this.launcher = launcher;
        this.bounds = builder.bounds;
        this.credentials = builder.credentials;
        this.secrets = builder.secrets;
    }

    /** Begins with the parts that have no default. */
    public static Builder with(Timekeeper timekeeper, Executor workers, ProcessLauncher launcher) {
        return new Builder(timekeeper, workers, launcher);
    }

    public Timekeeper timekeeper() {
        return timekeeper;
    }

    /** Threads that may wait, for connecting and closing; never used on the way of a call. */
    public Executor workers() {
        return workers;
    }

    /** Randomness that must be neither secret nor repeatable: jitter and correlation ids. */
    public RandomGenerator random() {
        return random;
    }

    /** The environment variables. */
    public Map<String, String> variables() {
        return variables;
    }

    public System.Logger logger() {
        return logger;
    }

    /** Starts child processes. */
    public ProcessLauncher launcher() {
        return launcher;
    }

    /** How much may cross the bridge at once. */
    public Bounds bounds() {
        return bounds;
    }

    /** How we prove to servers who calls. */
    public Credentials credentials() {
        return credentials;
    }

    /** What must not be written down: the same for all copies of this environment. */
    public KnownSecrets secrets() {
        return secrets;
    }

    /** The same environment with other bounds. */
    public Environment withBounds(Bounds newBounds) {
        return with(timekeeper, workers, launcher)
                .random(random)
                .variables(variables)
                .logger(logger)
                .bounds(newBounds)
                .credentials(credentials)
                .secrets(secrets)
                .build();
    }

    /** Collects the optional parts. */
    public static final class Builder {
        private final Timekeeper timekeeper;
        private final Executor workers;
        private final ProcessLauncher launcher;
        private RandomGenerator random = new java.util.Random();
        private Map<String, String> variables = System.getenv();
        private System.Logger logger = System.getLogger("io.mcpbridge");
        private Bounds bounds = Bounds.usual();
        private Credentials credentials = Credentials.NONE;
        private KnownSecrets secrets = new KnownSecrets();

        private Builder(Timekeeper timekeeper, Executor workers, ProcessLauncher launcher) {
            this.timekeeper = timekeeper;
            this.workers = workers;
            this.launcher = launcher;
        }

        /** A generator that any thread may use. */
        public Builder random(RandomGenerator value) {
            this.random = value;
            return this;
        }

        public Builder variables(Map<String, String> value) {
            this.variables = Map.copyOf(value);
            return this;
        }

        public Builder logger(System.Logger value) {
            this.logger = value;
            return this;
        }

        public Builder bounds(Bounds value) {
            this.bounds = value;
            return this;
        }

        public Builder credentials(Credentials value) {
            this.credentials = value;
            return this;
        }

        Builder secrets(KnownSecrets value) {
            this.secrets = value;
            return this;
        }

        public Environment build() {
            return new Environment(this, timekeeper, workers, launcher);
        }
    }
}
