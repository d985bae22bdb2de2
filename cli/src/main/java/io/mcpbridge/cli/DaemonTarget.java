package io.mcpbridge.cli;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.cli.Logging.LogLineFormatter;
import io.mcpbridge.cli.relay.AbsentDaemon;
import io.mcpbridge.engine.BridgeVersion;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.gateway.DaemonClient;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.RawJsonParts;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a running daemon. Logs like a connection of the engine, except failures, which the command prints. For
 * one thread.
 */
final class DaemonTarget implements ToolTarget {
    private static final int LONGEST_NAME = 128;
    private static final int MAX_PAGES = 1_000;
    private static final Set<String> FINAL_TYPES = Set.of("complete", "task");

    private final DaemonClient daemon;
    private final Path socket;
    private final Duration timeout;
    private final Log log;

    /** The members of each {@code _meta}. */
    private final String meta;

    private DaemonTarget(DaemonClient daemon, Path socket, String clientId, Duration timeout, Log log) {
        this.daemon = daemon;
        this.socket = socket;
        this.timeout = timeout;
        this.log = log;
        this.meta = "\"%s\":%s,\"%s\":{},\"%s\":{\"name\":\"mcp-bridge\",\"version\":%s}%s"
                .formatted(
                        MetaKeys.PROTOCOL_VERSION,
                        JsonStrings.quote(ProtocolVersion.LATEST.text()),
                        MetaKeys.CLIENT_CAPABILITIES,
                        MetaKeys.CLIENT_INFO,
                        JsonStrings.quote(BridgeVersion.CURRENT),
                        clientId.isEmpty()
                                ? ""
                                : ",\"%s\":%s".formatted(Caller.CLIENT_ID_KEY, JsonStrings.quote(clientId)));
    }

    /**
     * Connects to a daemon.
     *
     * @param timeout of connecting and of each request
     * @param level the minimum level of the log on standard error
     */
    static DaemonTarget connect(Path socket, String clientId, Duration timeout, Level level)
            throws InterruptedException {
        var path = UnixSocket.checked(socket.toAbsolutePath().normalize());
        var log = new Log(level);
        log.line(Level.INFO, "connecting to unix:" + path);
        try {
            var daemon = DaemonClient.connect(path, timeout);
            log.line(Level.INFO, "connected to unix:" + path);
            return new DaemonTarget(daemon, path, clientId, timeout, log);
        } catch (TransportException failed) {
            throw AbsentDaemon.explain(socket, failed);
        }
    }

    @Override
    public List<ToolDefinition> listTools() throws InterruptedException {
        var tools = new ArrayList<ToolDefinition>();
        var cursors = new HashSet<String>();
        for (var cursor = ""; cursors.add(cursor) && cursors.size() <= MAX_PAGES; ) {
            var response = ask(Methods.TOOLS_LIST, cursor);
            if (response.isError()) {
                throw CallException.of(JsonRpcErrorMapper.toFailure(response));
            }
            var page = RawJsonParts.members(response.raw(MessageField.RESULT).orElse("{}"));
            RawJsonParts.elements(page.getOrDefault("tools", "[]"))
                    .forEach(raw -> tools.add(ToolDefinition.parse(raw)));
            if (!page.containsKey("nextCursor")) {
                return tools;
            }
            cursor = "\"cursor\":%s,".formatted(page.get("nextCursor"));
        }
        throw broken("its list of tools never ends: a cursor came again or is on page " + cursors.size());
    }

    @Override
    public ToolResult callTool(String tool, Map<String, ?> arguments) throws InterruptedException {
        log.line(Level.INFO, "callTool %s attempt 1/1".formatted(VisibleText.beginning(tool, LONGEST_NAME)));
        var params = "\"name\":%s,\"arguments\":%s,"
                .formatted(JsonStrings.quote(tool), Json.of(arguments).text());
        var response = ask(Methods.TOOLS_CALL, params);
        if (response.isError()) {
            var failure = JsonRpcErrorMapper.ofCaller(response);
            throw CallException.of(failure.withMessage("tool '%s': %s".formatted(tool, failure.message())));
        }
        return ToolResult.parse(tool, response.raw(MessageField.RESULT).orElse("{}"), "", Duration.ZERO);
    }

    /** @param members of the params, each with a comma behind it */
    private Response ask(String method, String members) throws InterruptedException {
        var params = "{%s\"_meta\":{\"%s\":%d,%s}}".formatted(members, MetaKeys.TIMEOUT_MS, timeout.toMillis(), meta);
        try {
            var response = daemon.ask(method, params);
            var type = response.text(MessageField.RESULT_TYPE);
            if (type.isPresent() && !FINAL_TYPES.contains(type.get())) {
                throw ProtocolException.upstreamInvalid(
                        "it answered '%s' with the resultType '%s'".formatted(method, type.get()));
            }
            return response;
        } catch (ProtocolException unreadable) {
            throw broken(unreadable.getMessage());
        }
    }

    private ProtocolException broken(@Nullable String why) {
        return ProtocolException.upstreamInvalid("the daemon at '%s' broke the protocol: %s".formatted(socket, why));
    }

    @Override
    public void close() {
        daemon.close();
    }

    /** The log on standard error, from a level on. */
    private record Log(Level least) {
        void line(Level level, String text) {
            if (level.intValue() >= least.intValue()) {
                LogLineFormatter.print(level, "[mcp-bridge] " + text);
            }
        }
    }
}
