package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a verification, in words.
 *
 * @param folder the folder of the trail
 * @param material the keys and checkpoints of the verification
 * @param range the requested records
 * @param report the result of the verifier
 */
public record VerificationResult(
        Path folder, VerificationMaterial material, AuditVerifier.Range range, AuditReport report) {
    /**
     * Verifies a range of records of a trail.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if there is no readable trail
     */
    public static VerificationResult of(Path folder, VerificationMaterial material, AuditVerifier.Range range) {
        var keys = material.keys().keys();
        var kept = material.kept().checkpoints();
        var report = TrailFolder.withTrail(folder).read(() -> AuditVerifier.verify(folder, keys, range, kept));
        return new VerificationResult(folder, material, range, report);
    }

    /** Whether a signature proves that the requested records were not changed. */
    public boolean holds() {
        return report.holds() && isCovered();
    }

    /** The numbers of the report, for people. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("trail       " + VisibleText.of(folder.toString()));
        lines.add("key         " + VisibleText.of(key()));
        lines.add("checked     %d records%s in %d segments, %d checkpoints"
                .formatted(report.records(), sequences(), report.segments(), report.checkpoints()));
        lines.add("covered     " + coverage());
        if (material.kept().isThere()) {
            lines.add("kept        " + VisibleText.of(kept()));
        }
        report.remarks().forEach(remark -> lines.add("note        " + VisibleText.of(remark)));
        return lines;
    }

    /** The conclusion in one sentence. */
    public String conclusion() {
        if (report.fault().isPresent()) {
            return VisibleText.of(sentence(report.fault().get()));
        }
        if (keys().keys().isEmpty()) {
            return "the hashes fit, but without a public key nothing shows who made them: name one with --pubkey";
        }
        if (report.records() == 0) {
            return "the trail holds no record";
        }
        return isCovered()
                ? "records %d to %d are as they were written".formatted(report.first(), report.covered())
                : "the hashes fit, but " + whyNotCovered();
    }

    private boolean isCovered() {
        return report.covered() >= range.from();
    }

    private String whyNotCovered() {
        if (report.checkpoints() == 0) {
            return "there is no checkpoint, though each trail has one from its beginning on: they were taken away";
        }
        if (report.covered() > 0 || range.from() > 1) {
            return "no checkpoint covers record %d or any after it".formatted(range.from());
        }
        return "no checkpoint covers a record, though one is signed with the first: they were taken away or could not"
                + " be written, or the daemon was killed at that moment and signs when it starts again";
    }

    /** The whole result as one JSON object. */
    public String json() {
        var members = new LinkedHashMap<String, Object>();
        members.put("trail", folder.toString());
        members.put("holds", holds());
        members.put("conclusion", conclusion());
        members.put("records", report.records());
        members.put("first", report.first());
        members.put("last", report.last());
        members.put("segments", (long) report.segments());
        members.put("checkpoints", (long) report.checkpoints());
        members.put("covered", report.covered());
        members.put("uncovered", report.uncovered());
        if (material.kept().isThere()) {
            members.put("kept", material.kept().checkpoints().last());
        }
        report.fault().ifPresent(fault -> members.put("fault", members(fault)));
        members.put("remarks", report.remarks());
        return Json.of(members).text();
    }

    private String kept() {
        var checkpoints = material.kept().checkpoints();
        return "%d checkpoints up to record %d, from '%s'%s%s"
                .formatted(
                        checkpoints.size(),
                        checkpoints.last(),
                        material.kept().file(),
                        checkpoints.skipped() == 0
                                ? ""
                                : ", and %d lines that are of none".formatted(checkpoints.skipped()),
                        report.holds() ? ": they fit" : "");
    }

    private VerificationMaterial.Keys keys() {
        return material.keys();
    }

    private String key() {
        if (keys().keys().isEmpty()) {
            return "none: '%s' is not there".formatted(keys().file());
        }
        var names = keys().keys().stream().map(VerificationKey::name).collect(Collectors.joining(", "));
        return "%s, from '%s'".formatted(names, keys().file());
    }

    private String sequences() {
        return report.records() == 0 ? "" : " (%d to %d)".formatted(report.first(), report.last());
    }

    private String coverage() {
        if (report.covered() == 0) {
            return "nothing";
        }
        return "up to record %d by a signed checkpoint%s".formatted(report.covered(), rest());
    }

    private String rest() {
        if (report.uncovered() == 0) {
            return "";
        }
        return report.holds()
                ? "; the last %d could still be cut off or changed unseen".formatted(report.uncovered())
                : "; the %d that were read after it are not".formatted(report.uncovered());
    }

    private static String sentence(AuditReport.Fault fault) {
        var line = fault.line() == 0 ? "" : ", line " + fault.line();
        return "%s: '%s'%s, record %d: %s"
                .formatted(word(fault), fault.file(), line, fault.sequence(), fault.message());
    }

    private static Map<String, Object> members(AuditReport.Fault fault) {
        return Map.of(
                "kind", word(fault),
                "file", fault.file(),
                "line", fault.line(),
                "sequence", fault.sequence(),
                "message", fault.message());
    }

    private static String word(AuditReport.Fault fault) {
        return fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
