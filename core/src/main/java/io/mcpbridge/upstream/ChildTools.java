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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Asks one process for all of its tools, so that they can be compared with those that were approved. All pages together
 * have the time of one request. Used once; nothing waits.
 */
final class ChildTools {
    /** A server that has more pages than this is taken to list in a circle. */
    private static final int MAX_PAGES = 1_000;

    private final UpstreamSession session;
    private final UpstreamParts parts;
    private final Consumer<Map<String, ToolDefinition>> listed;
    private final Consumer<Failure> failed;
    private final Map<String, ToolDefinition> tools = new LinkedHashMap<>();
    private final Set<String> cursors = new HashSet<>();
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
        ask("{}");
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
        Optional<String> cursor;
        try {
            cursor = take(response);
        } catch (BridgeException unusable) {
            failed.accept(unusable.failure());
            return;
        }
        cursor.ifPresentOrElse(this::goOn, () -> listed.accept(tools));
    }

    private void goOn(String cursor) {
        if (!cursors.add(cursor) || cursors.size() >= MAX_PAGES) {
            failed.accept(endless(cursor));
        } else {
            ask("{\"cursor\":" + cursor + "}");
        }
    }

    private Failure endless(String cursor) {
        var words =
                "server '%s' broke the protocol: its list of tools never ends: the cursor %s came again or stands on"
                        + " page %d";
        return Failure.of(ErrorCode.UPSTREAM_INVALID, words.formatted(parts.name(), cursor, cursors.size() + 1));
    }

    /**
     * Keeps what stands on a page; returns the raw cursor of the next one, if there is one. What lies beyond the limits is not known of the
     * approved list either.
     */
    private Optional<String> take(Response response) {
        var page = ListPage.of(response, "tools");
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
        return page.cursor();
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
