package io.mcpbridge.cli;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.cli.trail.CallRecordFinder;
import io.mcpbridge.cli.trail.CallReport;
import io.mcpbridge.failure.ConfigurationException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mcp-bridge audit show}: shows all calls, or all records of one call. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the calls of the audit trail, one a line, or everything of one call.",
            "A call that asked its client and went on with the answer is shown with all its legs."
        })
final class AuditShowCommand implements Callable<Integer> {
    private static final int SHORTEST = 4;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CALL",
            description = "The correlation id of a call, or the first four digits of it or more.")
    private @Nullable String call;

    @Mixin
    private TrailViewOptions view;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        if (call != null) {
            return show(call);
        }
        view.open(output).showAll(view.filter());
        return ExitCode.OK;
    }

    private int show(String id) {
        if (id.length() < SHORTEST) {
            throw ConfigurationException.of(
                    "'%s' must have at least the first %d digits of a correlation id".formatted(id, SHORTEST));
        }
        var records = CallRecordFinder.in(view.folder(), id);
        if (records.isEmpty()) {
            output.error("mcp-bridge: the audit trail '%s' has no call whose id begins with '%s'"
                    .formatted(view.folder(), id));
            return ExitCode.TOOL_ERROR;
        }
        if (view.isForPrograms()) {
            records.stream().map(ParsedRecord::json).forEach(output::line);
        } else {
            CallReport.of(records).forEach(output::line);
        }
        return ExitCode.OK;
    }
}
