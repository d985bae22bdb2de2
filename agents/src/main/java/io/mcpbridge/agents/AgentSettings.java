package io.mcpbridge.agents;

import io.mcpbridge.spi.MistakeCollector;
import java.time.Duration;

/**
 * The bounds of an agent.
 *
 * @param maxRounds requests to the model; at least 1
 * @param maxCalls tool calls in all; at least 1
 * @param timeout time for the whole; longer than zero
 * @param parallelism tool calls at the same time; at least 1
 * @param maxResultLength characters of one result that the model reads; at least 1
 * @param maxTokens length of one response, for an API that wants a number, such as Anthropic's; at least 1
 */
public record AgentSettings(
        int maxRounds, int maxCalls, Duration timeout, int parallelism, int maxResultLength, int maxTokens) {

    /** 20 rounds, 100 calls, 10 minutes, 8 calls at the same time, 100,000 characters, 4096 tokens. */
    public static final AgentSettings DEFAULTS = new AgentSettings(20, 100, Duration.ofMinutes(10), 8, 100_000, 4_096);

    public AgentSettings {
        new MistakeCollector()
                .unless(maxRounds >= 1, "max-rounds", maxRounds, "at least 1")
                .unless(maxCalls >= 1, "max-calls", maxCalls, "at least 1")
                .unless(timeout.compareTo(Duration.ZERO) > 0, "timeout", timeout, "longer than zero")
                .unless(parallelism >= 1, "parallelism", parallelism, "at least 1")
                .unless(maxResultLength >= 1, "max-result-length", maxResultLength, "at least 1")
                .unless(maxTokens >= 1, "max-tokens", maxTokens, "at least 1")
                .throwIfAny();
    }

    public AgentSettings withMaxRounds(int it) {
        return new AgentSettings(it, maxCalls, timeout, parallelism, maxResultLength, maxTokens);
    }

    public AgentSettings withMaxCalls(int it) {
        return new AgentSettings(maxRounds, it, timeout, parallelism, maxResultLength, maxTokens);
    }

    public AgentSettings withTimeout(Duration it) {
        return new AgentSettings(maxRounds, maxCalls, it, parallelism, maxResultLength, maxTokens);
    }

    public AgentSettings withMaxTokens(int it) {
        return new AgentSettings(maxRounds, maxCalls, timeout, parallelism, maxResultLength, it);
    }
}
