package io.mcpbridge.agents;

import io.mcpbridge.tool.Json;
import java.time.Duration;

/** Sends one request to the API of a language model. Calls of one agent do not overlap. */
@FunctionalInterface
public interface ModelClient {

    /**
     * Sends a request and waits for the response.
     *
     * @return the body of the response, in the format that the client was {@linkplain ModelProvider made a provider} with
     * @throws io.mcpbridge.failure.BridgeException if there is no response that can be used; it ends the agent
     */
    Json complete(ModelRequest request) throws InterruptedException;

    /**
     * A request to a model.
     *
     * @param model the name of the model
     * @param body the body of the request, without streaming
     * @param timeout the time that is left for the agent; longer than zero
     */
    record ModelRequest(String model, Json body, Duration timeout) {}
}
