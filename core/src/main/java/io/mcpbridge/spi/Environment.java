package io.mcpbridge.spi;

import io.mcpbridge.call.Timekeeper;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The clock, threads, randomness, limits and other dependencies of an implementation, which tests and embedders can
 * replace.
 *
 * <p>The front door or the daemon creates it, and closes the resources behind it. Any thread may use it.
 *
 * @param workers threads that may block, for connecting and closing; never used in the call path
 * @param random randomness that must be neither secret nor repeatable: jitter and correlation ids; for any thread
 * @param variables the environment variables
 * @param launcher starts child processes
 * @param limits the limits on messages, queues and requests
 * @param credentials the credentials that the bridge sends to servers
 * @param secrets the texts that must not be logged or stored; shared by all copies of this environment
 */
public record Environment(
        Timekeeper timekeeper,
        Executor workers,
        ProcessLauncher launcher,
        RandomGenerator random,
        Map<String, String> variables,
        System.Logger logger,
        BridgeLimits limits,
        Credentials credentials,
        KnownSecrets secrets) {

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** An environment of the parts that have no default, with the variables of this process. */
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
        return new Environment(timekeeper, workers, launcher, it, variables, logger, limits, credentials, secrets);
    }

    public Environment withVariables(Map<String, String> it) {
        return new Environment(timekeeper, workers, launcher, random, it, logger, limits, credentials, secrets);
    }

    public Environment withLogger(System.Logger it) {
        return new Environment(timekeeper, workers, launcher, random, variables, it, limits, credentials, secrets);
    }

    public Environment withLimits(BridgeLimits it) {
        return new Environment(timekeeper, workers, launcher, random, variables, logger, it, credentials, secrets);
    }

    public Environment withCredentials(Credentials it) {
        return new Environment(timekeeper, workers, launcher, random, variables, logger, limits, it, secrets);
    }

    /** Shows no values, since variables may be secrets. */
    @Override
    public String toString() {
        return "environment";
    }
}
