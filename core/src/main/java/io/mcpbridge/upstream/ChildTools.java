package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks one process for all of its tools, so that they can be compared with those that were approved. All pages together
 * have the time of one request. Used once; nothing waits.
 */
final class ChildTools {
    private static final String LIST = "tools";

    private final UpstreamSession session;
    private final UpstreamParts parts;
    private final Consumer<Map<String, ToolDefinition>> listed;
    private final Consumer<Failure> failed;
    private final Map<String, ToolDefinition> tools = new LinkedHashMap<>();
    private final PageTrail trail = new PageTrail(LIST);
    private final Deadline deadline;
    private final ListLimits limits;
    private long bytes;
    private int seen;

    ChildTools(
            UpstreamSession session,
            UpstreamParts parts,
            Consumer<Map<String, ToolDefinition>> listed,
            Consumer<Failure> failed) {
        this.session = session;
        this.parts = parts;
        this.deadline = parts.deadline();
        this.limits = parts.settings().listLimits();
        this.listed = listed;
        this.failed = failed;
    }

    void ask() {
        ask(trail.begin());
    }

    private void ask(String params) {
        var request = Request.of(session.mintId(), Methods.TOOLS_LIST, params);
        var call = Call.of(request, Caller.builder().build(), "tools-" + parts.name(), deadline);
        Handler own = session::sendOwn;
        OwnRequest.send(own, call, outcome -> {
            if (outcome instanceof Outcome.Failed why) {
                failed.accept(why.failure());
            } else {
                answered(((Outcome.Answered) outcome).response());
            }
        });
    }

    private void answered(Response response) {
        if (response.isError()) {
            failed.accept(JsonRpcErrors.toFailure(response));
            return;
        }
        Optional<String> next;
        try {
            next = take(response);
        } catch (BridgeException unusable) {
            failed.accept(invalid(unusable));
            return;
        }
        next.ifPresentOrElse(this::ask, () -> listed.accept(tools));
    }

    private Failure invalid(BridgeException unusable) {
        var words = "server '%s' broke the protocol: %s";
        return Failure.of(
                ErrorCode.UPSTREAM_INVALID,
                words.formatted(parts.name(), unusable.failure().message()));
    }

    /**
     * Keeps what stands on a page; returns the params of the request for the next one, if there is one. What lies beyond
     * the limits is not known of the approved list either.
     */
    private Optional<String> take(Response response) {
        var page = ListPage.of(response, LIST, limits);
        if (trail.isOver(page)) {
            return Optional.empty();
        }
        for (var raw : page.elements()) {
            if (raw.length() > limits.bytes()) {
                seen++;
                continue;
            }
            bytes += raw.length();
            if (seen++ >= limits.items() || bytes > limits.bytes()) {
                return Optional.empty();
            }
            keep(raw);
        }
        return trail.next(page);
    }

    /** What cannot be read is not known of the approved list either. */
    private void keep(String raw) {
        try {
            var era = session.isModern() ? Era.MODERN : Era.LEGACY;
            var tool = ToolDefinition.parse(raw).mended(era);
            if (parts.flaw(tool, era).isEmpty()) {
                tools.putIfAbsent(tool.name(), tool);
            }
        } catch (ProtocolException unusable) {
            // The log was told when the session in which tools are approved was listed.
        }
    }
}
