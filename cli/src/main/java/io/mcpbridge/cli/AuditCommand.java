package io.mcpbridge.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mcp-bridge audit}: shows and verifies the audit trail. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Shows the audit trail and verifies it.",
        subcommands = {AuditTailCommand.class, AuditShowCommand.class, AuditVerifyCommand.class})
final class AuditCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
