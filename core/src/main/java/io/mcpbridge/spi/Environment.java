package io.mcpbridge.spi;

import io.mcpbridge.call.Timekeeper;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What an implementation takes from outside, so that tests and embedders can supply it.
 *
 * <p>Made by the front door or the daemon, which also closes what is behind it. Any thread may use it.
 *
 * @param workers threads that may wait, for connecting and closing; never used on the way of a call
 * @param random randomness that must be neither secret nor repeatable: jitter and correlation ids; for any thread
 * @param variables the environment variables
 * @param launcher starts child processes
 * @param bounds how much may cross the bridge at once
 * @param credentials how we prove to servers who calls
 * @param secrets what must not be written down: the same for all copies of this environment
 */
public record Environment(
        Timekeeper timekeeper,
        Executor workers,
        ProcessLauncher launcher,
        RandomGenerator random,
        Map<String, String> variables,
        System.Logger logger,
        BridgeLimits bounds,
        Credentials credentials,
        KnownSecrets secrets) {

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** The parts that have no default, with the variables of this process. */
    public static Environment of(Timekeeper timekeeper, Executor workers, ProcessLauncher launcher) {
        return new Environment(
                timekeeper,
                workers,
                launcher,
                new java.util.Random(),
                System.getenv(),
                System.getLogger("io.mcpbridge"),
                BridgeLimits.usual(),
                Credentials.NONE,
                new KnownSecrets());
    }

    public Environment withRandom(RandomGenerator it) {
        return new Environment(timekeeper, workers, launcher, it, variables, logger, bounds, credentials, secrets);
    }

    public Environment withVariables(Map<String, String> it) {
        return new Environment(timekeeper, workers, launcher, random, it, logger, bounds, credentials, secrets);
    }

    public Environment withLogger(System.Logger it) {
        return new Environment(timekeeper, workers, launcher, random, variables, it, bounds, credentials, secrets);
    }

    public Environment withBounds(BridgeLimits it) {
        return new Environment(timekeeper, workers, launcher, random, variables, logger, it, credentials, secrets);
    }

    public Environment withCredentials(Credentials it) {
        return new Environment(timekeeper, workers, launcher, random, variables, logger, bounds, it, secrets);
    }

    /** Says nothing, since variables may be secrets. */
    @Override
    public String toString() {
        return "environment";
    }
}
