package io.mcpbridge.agents;

import java.util.List;

/**
 * The end of an agent.
 *
 * @param text the last words of the model; empty if it had none
 * @param stop why the agent ended
 * @param cutOff why the API cut off the answer of the model, in its own word, such as {@code max_tokens} or {@code
 *     SAFETY}; empty unless that ended the agent
 * @param rounds requests to the model
 * @param calls the tool calls, in the order in which the model asked for them
 */
public record AgentResult(String text, Stop stop, String cutOff, int rounds, List<Call> calls) {

    public AgentResult {
        calls = List.copyOf(calls);
    }

    /** Why an agent ended. */
    public enum Stop {
        /** The model answered and asked for no further call. */
        ANSWERED,
        /** The API cut off the answer of the model, such as for its length or content; the calls in it did not run. */
        CUT_OFF,
        /** The model still asked for calls in the last round; they did not run. */
        MAX_ROUNDS,
        /** The model asked for more calls than the bound; those beyond it did not run. */
        MAX_CALLS,
        /** The time is over; calls under way were cancelled. */
        TIMEOUT
    }

    /**
     * One tool call.
     *
     * @param tool {@code server.tool}, or the name that the model wrote if there is no such tool
     * @param arguments as the model wrote them
     * @param text the texts that the model reads
     * @param isError whether the model reads that the call failed
     */
    public record Call(String tool, String arguments, String text, boolean isError) {}
}
