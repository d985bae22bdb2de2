package io.mcpbridge.cli;

import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.cli.trail.VerificationMaterial;
import io.mcpbridge.cli.trail.VerificationMaterial.KeptCopy;
import io.mcpbridge.cli.trail.VerificationResult;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class AuditVerifyCommand implements Callable<Integer> {

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
            description = "The public key of the trail, or several, one a line; else the one beside the private key.")
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
        var material = new VerificationMaterial(keys, checkpoints == null ? KeptCopy.NONE : KeptCopy.in(checkpoints));
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
                    "'--from' is %d and '--to' is %d, but must be 1 or more, and not before it".formatted(from, to));
        }
        return new AuditVerifier.Range(from, to);
    }

    /** Colours only our own word, since the other text may contain markup. */
    private static String conclusion(VerificationResult verdict) {
        return Output.painted(verdict.holds() ? "@|green ok|@" : "@|red FAILED|@") + " " + verdict.conclusion();
    }
}
