package io.mcpbridge.cli;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.cli.trail.CallRecordFinder;
import io.mcpbridge.cli.trail.CallReport;
import io.mcpbridge.cli.trail.VerificationMaterial;
import io.mcpbridge.cli.trail.VerificationMaterial.KeptCopy;
import io.mcpbridge.cli.trail.VerificationResult;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mcp-bridge audit}: shows and verifies the audit trail. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Shows the audit trail and verifies it.",
        subcommands = {
            AuditCommand.AuditTailCommand.class,
            AuditCommand.AuditShowCommand.class,
            AuditCommand.AuditVerifyCommand.class
        })
final class AuditCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    /** {@code mcp-bridge audit show}: shows all calls, or all records of one call. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the calls of the audit trail, one a line, or everything of one call.",
                "A call that asked its client and went on with the answer is shown with all its legs."
            })
    static final class AuditShowCommand implements Callable<Integer> {
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

    /** {@code mcp-bridge audit tail}: shows the last calls, and new ones as they are recorded. */
    @Command(
            name = "tail",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the last calls of the audit trail, one a line, in the order in which they ended; times are UTC.",
                "WHO is the proven user, CLIENT what the client calls itself, TRY how often the server was asked,"
                        + " BOX the level at which its process is held."
            })
    static final class AuditTailCommand implements Callable<Integer> {
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

    /** {@code mcp-bridge audit verify}: verifies that a trail was not changed. */
    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description = {
                "Checks that nothing of the audit trail was changed, taken out, put in, exchanged or cut off up to its last"
                        + " signed checkpoint. The daemon may go on writing.",
                "Exit code 0 only if all of that holds; 1 if it does not, or if no key or no checkpoint shows it; 2 if"
                        + " there is no trail.",
                "An attacker who has the private key and may write to the folder can make another trail: keep a copy of the"
                        + " public key, and of 'checkpoints', where they cannot write."
            })
    static final class AuditVerifyCommand implements Callable<Integer> {

        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "DIR",
                description = "The folder of the trail: the same as --dir.")
        private @Nullable Path folder;

        @Mixin
        private TrailOptions trail;

        @Option(
                names = "--pubkey",
                paramLabel = "FILE",
                description =
                        "The public key of the trail, or several, one a line; else the one beside the private key.")
        private @Nullable Path key;

        @Option(
                names = "--checkpoints",
                paramLabel = "FILE",
                description =
                        "A copy of 'checkpoints' that was kept where the bridge cannot write: the trail must be the one"
                                + " that they cover, whatever was signed since.")
        private @Nullable Path checkpoints;

        @Option(
                names = "--from",
                paramLabel = "N",
                description = "Begin with the record of this sequence, or with the segment in which it stands.")
        private long from = 1;

        @Option(
                names = "--to",
                paramLabel = "N",
                description = "End with the record of this sequence, or with the checkpoint after it.")
        private long to = Long.MAX_VALUE;

        @Option(names = "--json", description = "Print the report as one JSON object.")
        private boolean isRaw;

        @Mixin
        private Output output;

        @Override
        public Integer call() {
            var settings = trail.settings(folder);
            var keys = key == null
                    ? VerificationMaterial.Keys.beside(settings.publicKey())
                    : VerificationMaterial.Keys.in(key);
            var material =
                    new VerificationMaterial(keys, checkpoints == null ? KeptCopy.NONE : KeptCopy.in(checkpoints));
            var verdict = VerificationResult.of(settings.path(), material, range());
            if (isRaw) {
                output.line(verdict.json());
            } else {
                verdict.lines().forEach(output::line);
                output.line(conclusion(verdict));
            }
            return verdict.holds() ? ExitCode.OK : ExitCode.TOOL_ERROR;
        }

        private AuditVerifier.Range range() {
            if (from < 1 || to < from) {
                throw ConfigurationException.of(
                        "'--from' is %d and '--to' is %d, but must be 1 or more, and not before it"
                                .formatted(from, to));
            }
            return new AuditVerifier.Range(from, to);
        }

        /** Colours only our own word, since the other text may contain markup. */
        private static String conclusion(VerificationResult verdict) {
            return Output.painted(verdict.holds() ? "@|green ok|@" : "@|red FAILED|@") + " " + verdict.conclusion();
        }
    }
}
