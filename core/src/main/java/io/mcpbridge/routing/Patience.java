package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.RetryPolicy;
import java.time.Duration;
import java.util.Map;

/** How often a server is tried and how long each time, and which of its tools are tried otherwise. Immutable. */
public final class Patience {
    private final Rule rule;
    private final Map<String, Rule> tools;

    private Patience(Rule rule, Map<String, Rule> tools) {
        this.rule = rule;
        this.tools = Map.copyOf(tools);
    }

    /**
     * For one kind of request.
     *
     * @param policy decides on repeating
     * @param attemptTimeout how long each attempt may take
     */
    public record Rule(RetryPolicy policy, Duration attemptTimeout) {}

    /** The same for everything that a server is asked. */
    public static Patience of(RetryPolicy policy, Duration attemptTimeout) {
        return new Patience(new Rule(policy, attemptTimeout), Map.of());
    }

    /** The same, but for these tools. */
    Patience withTools(Map<String, Rule> newTools) {
        return new Patience(rule, newTools);
    }

    RetryPolicy policy(Call call) {
        return rule(call).policy();
    }

    Duration attemptTimeout(Call call) {
        return rule(call).attemptTimeout();
    }

    private Rule rule(Call call) {
        if (tools.isEmpty() || !call.request().method().equals(Methods.TOOLS_CALL)) {
            return rule;
        }
        return call.request().text(Part.NAME).map(tools::get).orElse(rule);
    }
}
