package io.mcpbridge.server;

import io.mcpbridge.call.Caller;
import io.mcpbridge.tool.Prompt;
import java.util.List;
import java.util.Map;

/** Fills in a prompt of the program. It may block: each request has its own thread. */
@FunctionalInterface
public interface PromptHandler {

    /**
     * Makes the messages of the prompt.
     *
     * @param arguments by name; all required ones are there
     * @param caller the client that asks
     * @throws Exception if it fails; the client gets the message
     */
    List<Prompt.Message> get(Map<String, String> arguments, Caller caller) throws Exception;
}
