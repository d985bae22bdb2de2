package io.mcpbridge.cli;

import io.mcpbridge.failure.ConfigurationException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mcp-bridge audit tail}: shows the last calls, and new ones as they are recorded. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the last calls of the audit trail, one a line, in the order in which they ended; times are UTC.",
            "WHO is the proven user, CLIENT what the client calls itself, TRY how often the server was asked,"
                    + " BOX the level at which its process is held."
        })
final class AuditTailCommand implements Callable<Integer> {
    private static final int MOST = 1_000_000;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "20",
            description = "How many lines, up to a million; ${DEFAULT-VALUE} unless it is given.")
    private int count;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with the calls that end from now on, until it is interrupted.")
    private boolean isFollowing;

    @Mixin
    private TrailViewOptions view;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        check();
        if (isFollowing) {
            view.open(output).follow(count, view.filter());
        } else {
            view.open(output).showLast(count, view.filter());
        }
        return ExitCode.OK;
    }

    private void check() {
        if (count < 0 || count > MOST) {
            throw ConfigurationException.of("'--lines' is %d but must be between 0 and %d".formatted(count, MOST));
        }
        if (isFollowing && view.hasEnd()) {
            throw ConfigurationException.of("'--follow' has no end, so it cannot be given with '--until'");
        }
    }
}
