package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads all pages of one server's {@code tools/list}; each listing is one object, used once. */
final class ToolListing {
    /** A server that has more pages than this is taken to list in a circle. */
    static final int MAX_PAGES = 1_000;
    /** How many tools one server may have. */
    static final int MAX_TOOLS = 10_000;

    /** Hears once how the listing ended. */
    interface Ending {

        void listed(List<ToolDefinition> tools);

        void failed(Failure why);
    }

    private final Upstream upstream;
    private final Caller caller;
    private final String correlationId;
    private final Ending ending;
    private final Map<String, ToolDefinition> tools = new LinkedHashMap<>();
    private final Set<String> cursors = new HashSet<>();

    ToolListing(Upstream upstream, Caller caller, String correlationId, Ending ending) {
        this.upstream = upstream;
        this.caller = caller.withoutSession();
        this.correlationId = correlationId;
        this.ending = ending;
    }

    void begin() {
        ask("{}");
    }

    private void ask(String params) {
        var deadline = upstream.parts().deadline();
        var call = Call.of(Request.of(MessageId.of(0), Methods.TOOLS_LIST, params), caller, correlationId, deadline);
        var alarm = deadline.alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        upstream.handle(call, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                alarm.cancel();
                answered(outcome);
            }
        });
    }

    private void answered(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            ending.failed(failed.failure());
            return;
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            ending.failed(JsonRpcErrors.toFailure(response).withServer(upstream.name()));
            return;
        }
        try {
            take(response);
        } catch (BridgeException unusable) {
            ending.failed(invalid(unusable.failure().message()));
        }
    }

    private void take(Response response) {
        var result = Json.rawMembers(response.raw(Part.RESULT).orElse("{}"));
        Json.rawElements(result.getOrDefault("tools", "[]")).forEach(this::keep);
        var cursor = result.get("nextCursor");
        if (tools.size() > MAX_TOOLS) {
            ending.failed(invalid("it lists more than %d tools, which is the limit".formatted(MAX_TOOLS)));
        } else if (cursor == null || cursor.equals("null")) {
            ending.listed(List.copyOf(tools.values()));
        } else if (!cursors.add(cursor) || cursors.size() >= MAX_PAGES) {
            ending.failed(invalid("its list of tools never ends: the cursor %s came again or stands on page %d"
                    .formatted(cursor, cursors.size() + 1)));
        } else {
            ask("{\"cursor\":" + cursor + "}");
        }
    }

    /** A definition that cannot be used, or a second one of the same name, costs that tool alone. */
    private void keep(String raw) {
        try {
            var tool = ToolDefinition.parse(raw);
            if (tools.putIfAbsent(tool.name(), tool) != null) {
                upstream.dropped("a second definition of the tool '%s'".formatted(tool.name()));
            }
        } catch (BridgeException unusable) {
            upstream.dropped("a tool that cannot be used: " + unusable.getMessage());
        }
    }

    private Failure invalid(String why) {
        return Failure.of(
                        ErrorCode.UPSTREAM_INVALID,
                        "server '%s' broke the protocol: %s".formatted(upstream.name(), why))
                .withDelivery(Delivery.ANSWERED)
                .withServer(upstream.name());
    }
}
