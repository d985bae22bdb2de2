package io.mcpbridge.agents;

import io.mcpbridge.Bridge;
import io.mcpbridge.agents.AgentResult.Call;
import io.mcpbridge.agents.AgentResult.Stop;
import io.mcpbridge.agents.MessageFormat.ModelTurn;
import io.mcpbridge.agents.ModelClient.ModelRequest;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.tool.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs prompts: asks a model, runs the tool calls that it asks for, and tells it the results, until it answers or a bound is
 * reached. Immutable, so any thread may use it.
 */
public final class AgentRunner {
    private final ToolSource source;
    private final AgentSettings settings;
    private final AgentListener listener;

    private AgentRunner(ToolSource source, AgentSettings settings, AgentListener listener) {
        this.source = source;
        this.settings = settings;
        this.listener = listener;
    }

    /** An agent with the tools of a bridge, which stays the caller's. */
    public static AgentRunner of(Bridge bridge) {
        return of(ToolSource.of(bridge));
    }

    /** An agent with the tools of another source. */
    public static AgentRunner of(ToolSource source) {
        return new AgentRunner(source, AgentSettings.DEFAULTS, AgentListener.NONE);
    }

    public AgentRunner withSettings(AgentSettings newSettings) {
        return new AgentRunner(source, newSettings, listener);
    }

    public AgentRunner withListener(AgentListener newListener) {
        return new AgentRunner(source, settings, newListener);
    }

    /**
     * Lists the tools of servers, in this order.
     *
     * @throws io.mcpbridge.failure.BridgeException if there is no such server, or it cannot list its tools
     */
    public AgentTools loadTools(List<String> servers) throws InterruptedException {
        return new AgentTools(source, settings, listener, source.listTools(servers));
    }

    /**
     * Runs a prompt and waits for its end. Failures of tools are results for the model.
     *
     * @param model the name of the model at its provider
     * @throws io.mcpbridge.failure.BridgeException if the model cannot be asked; the listener has seen the calls that ran
     */
    public AgentResult execute(String prompt, AgentTools tools, ModelProvider provider, String model)
            throws InterruptedException {
        return new Run(tools, provider, model).execute(prompt);
    }

    /** One prompt. For one thread. */
    private final class Run {
        private final AgentTools tools;
        private final ModelProvider provider;
        private final String model;
        private final long end = System.nanoTime() + settings.timeout().toNanos();
        private final List<Object> conversation = new ArrayList<>();
        private final List<Call> calls = new ArrayList<>();
        private int rounds;
        private String text = "";
        private String cutOff = "";

        Run(AgentTools tools, ModelProvider provider, String model) {
            this.tools = tools.with(settings, listener);
            this.provider = provider;
            this.model = model;
        }

        AgentResult execute(String prompt) throws InterruptedException {
            conversation.add(provider.format().messages().prompt(prompt));
            while (isInTime()) {
                rounds++;
                ModelTurn turn;
                try {
                    turn = ask();
                } catch (CallTimedOutException late) {
                    if (isInTime()) {
                        throw late;
                    }
                    break;
                }
                text = turn.text().isEmpty() ? text : turn.text();
                cutOff = turn.cutOff();
                if (!cutOff.isEmpty()) {
                    return result(Stop.CUT_OFF);
                }
                if (turn.calls().isEmpty()) {
                    return result(Stop.ANSWERED);
                }
                if (rounds == settings.maxRounds()) {
                    return result(Stop.MAX_ROUNDS);
                }
                if (!run(turn)) {
                    return result(Stop.MAX_CALLS);
                }
            }
            return result(Stop.TIMEOUT);
        }

        private boolean isInTime() {
            return System.nanoTime() - end < 0;
        }

        private ModelTurn ask() throws InterruptedException {
            var messages = provider.format().messages();
            Map<String, Object> body = messages.request(model, conversation, settings.maxTokens());
            // The APIs reject an empty list.
            if (!tools.declarations().isEmpty()) {
                body.put("tools", messages.tools(tools.declarations()));
            }
            var left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            return messages.read(provider.client().complete(new ModelRequest(model, Json.of(body), left)));
        }

        /** Runs the calls of a turn, at most as many as are allowed; returns whether these are all. */
        private boolean run(ModelTurn turn) throws InterruptedException {
            var asked = turn.calls();
            var allowed = asked.subList(0, Math.min(asked.size(), settings.maxCalls() - calls.size()));
            var answers = tools.run(allowed, end);
            answers.forEach(answer -> calls.add(answer.call()));
            conversation.addAll(turn.items());
            conversation.addAll(provider.format().messages().results(answers));
            return allowed.size() == asked.size();
        }

        private AgentResult result(Stop stop) {
            return new AgentResult(text, stop, cutOff, rounds, calls);
        }
    }
}
