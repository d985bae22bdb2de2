package io.mcpbridge.cli;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge call}: calls a tool once. */
@Command(
        name = "call",
        mixinStandardHelpOptions = true,
        description = "Calls one tool, through the daemon or straight at a server.",
        footer = {
            "",
            "Examples:",
            "  mcp-bridge call github.get_issue '{\"number\": 42}'",
            "  mcp-bridge call echo '{\"message\": \"hi\"}' --command 'npx -y @modelcontextprotocol/server-everything'"
        })
final class CallCommand implements Callable<Integer> {
    static final String NO_ARGUMENTS = "{}";

    @Parameters(
            index = "0",
            paramLabel = "TOOL",
            description = "The name of the tool, or <server>.<tool> through the daemon.")
    private String tool;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "JSON",
            defaultValue = NO_ARGUMENTS,
            description = "The arguments, a JSON object.")
    private String arguments;

    @Option(names = "--json", description = "Print the whole result as JSON.")
    private boolean isJson;

    @Option(
            names = "--raw",
            description = "Print control characters of the result as they are, not escaped; unsafe on a terminal.")
    private boolean isRaw;

    @Option(names = "--quiet", description = "Do not log connecting, attempts and retries on standard error.")
    private boolean isQuiet;

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Mixin
    private Output output;

    /** The parser sets the other fields. */
    CallCommand(Output output) {
        this(output, "", NO_ARGUMENTS);
    }

    CallCommand(Output output, String tool, String arguments) {
        this.output = output;
        this.tool = tool;
        this.arguments = arguments;
    }

    @Override
    public Integer call() throws InterruptedException {
        var values = object("arguments", arguments);
        try (var server = target.open(isQuiet ? Level.OFF : Level.INFO)) {
            var result = call(server, values);
            print(result);
            return result.isError() ? ExitCode.TOOL_ERROR : ExitCode.OK;
        }
    }

    private ToolResult call(ToolTarget server, Map<String, ?> values) throws InterruptedException {
        try {
            return server.callTool(name(), values);
        } catch (CallException failed) {
            throw withKnownName(server, sayIfInDoubt(failed));
        }
    }

    /** Adds the nearest name if the call was rejected and the server does not list the tool. */
    private CallException withKnownName(ToolTarget server, CallException failed) throws InterruptedException {
        var why = failed.failure();
        if (why.serverError().isEmpty() && why.code() != ErrorCode.INVALID_PARAMS) {
            return failed;
        }
        var known = server.listTools().stream().map(ToolDefinition::name).toList();
        if (known.contains(name())) {
            return failed;
        }
        var nearest = Nearest.to(name(), known).map("; did you mean '%s'?"::formatted);
        return CallException.of(why.withMessage(
                why.message() + nearest.orElse("; 'mcp-bridge tools' lists the names, with the same options")));
    }

    /** Says so if the call may have run and may not run twice, unless the message says it already. */
    private static CallException sayIfInDoubt(CallException failed) {
        var why = failed.failure();
        if (why.delivery() != Delivery.UNKNOWN || why.isHarmless() || why.code() == ErrorCode.IN_DOUBT) {
            return failed;
        }
        var message = why.message() + "; the call may have run, so find out before you call again";
        // The message has the number of attempts already.
        return CallException.of(why.withMessage(message).withAttempts(1));
    }

    /** For the daemon, {@code server.tool} becomes {@code server__tool}; names of servers have neither separator. */
    private String name() {
        return target.isDaemon() && tool.split("__", 2)[0].contains(".") ? tool.replaceFirst("\\.", "__") : tool;
    }

    /** Reads a JSON object of the command line; {@code subject} names it. */
    static Map<String, @Nullable Object> object(String subject, String json) {
        try {
            return Json.parse(json).asMap();
        } catch (ProtocolException notAnObject) {
            throw ConfigurationException.of(
                    "the %s '%s' must be a JSON object: %s".formatted(subject, json, notAnObject.getMessage()));
        }
    }

    private void print(ToolResult result) {
        if (isJson) {
            var json = result.json().text();
            output.line(isRaw ? json : VisibleText.json(json));
            return;
        }
        result.blocks().forEach(block -> output.line(isRaw ? shown(block) : VisibleText.lines(shown(block))));
        if (result.isError()) {
            output.error("mcp-bridge: the tool '%s' returned an error".formatted(tool));
        }
    }

    private static String shown(Content block) {
        if (block instanceof Content.Text text) {
            return text.text();
        }
        if (block instanceof Content.Image image) {
            return "[%s, %d characters of base64]"
                    .formatted(image.mimeType(), image.data().length());
        }
        if (block instanceof Content.Audio audio) {
            return "[%s, %d characters of base64]"
                    .formatted(audio.mimeType(), audio.data().length());
        }
        return "[" + block.type() + "; --json shows it]";
    }
}
