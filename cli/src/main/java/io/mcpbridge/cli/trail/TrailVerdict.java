package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.verify.AuditFault;
import io.mcpbridge.audit.verify.AuditRange;
import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.tool.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is to be said of a trail that was verified.
 *
 * @param folder of the trail
 * @param keys that its checkpoints may be signed with
 * @param report what the verifier found
 */
public record TrailVerdict(Path folder, TrailKeys keys, AuditReport report) {

    /**
     * Verifies some records of a trail, or all.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if there is none that can be read
     */
    public static TrailVerdict of(Path folder, TrailKeys keys, AuditRange range) {
        var trail = TrailFolder.withRecords(folder);
        try {
            return new TrailVerdict(folder, keys, AuditVerifier.verify(folder, keys.keys(), range));
        } catch (IOException unreadable) {
            throw trail.unreadable(unreadable);
        }
    }

    /** Whether a signature shows that the trail is as it was written. */
    public boolean holds() {
        return report.holds() && report.covered() > 0;
    }

    /** What was read, for people. */
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("trail       " + PlainText.of(folder.toString()));
        lines.add("key         " + PlainText.of(key()));
        lines.add("checked     %d records%s in %d segments, %d checkpoints"
                .formatted(report.records(), range(), report.segments(), report.checkpoints()));
        lines.add("covered     " + coverage());
        report.remarks().forEach(remark -> lines.add("note        " + PlainText.of(remark)));
        return lines;
    }

    /** What follows from it, in one sentence. */
    public String conclusion() {
        if (report.fault().isPresent()) {
            return PlainText.of(sentence(report.fault().get()));
        }
        if (keys.keys().isEmpty()) {
            return "the hashes fit, but without a public key nothing shows who made them: name one with --pubkey";
        }
        if (report.records() == 0) {
            return "the trail holds no record";
        }
        return report.covered() == 0
                ? "the hashes fit, but no checkpoint was signed yet: that comes after 1,000 records, 60 s, or at the"
                        + " end of the daemon"
                : "records %d to %d are as they were written".formatted(report.first(), report.covered());
    }

    /** All of it as one JSON object. */
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
        report.fault().ifPresent(fault -> members.put("fault", members(fault)));
        members.put("remarks", report.remarks());
        return JsonObject.write(members);
    }

    private String key() {
        if (keys.keys().isEmpty()) {
            return "none: '%s' is not there".formatted(keys.file());
        }
        var names = keys.keys().stream().map(VerificationKey::name).collect(Collectors.joining(", "));
        return "%s, from '%s'".formatted(names, keys.file());
    }

    private String range() {
        return report.records() == 0 ? "" : " (%d to %d)".formatted(report.first(), report.last());
    }

    private String coverage() {
        if (report.covered() == 0) {
            return "nothing";
        }
        var rest = report.uncovered() == 0
                ? ""
                : "; the last %d could still be cut off or changed unseen".formatted(report.uncovered());
        return "up to record %d by a signed checkpoint%s".formatted(report.covered(), rest);
    }

    private static String sentence(AuditFault fault) {
        var line = fault.line() == 0 ? "" : ", line " + fault.line();
        return "%s: '%s'%s, record %d: %s"
                .formatted(word(fault), fault.file(), line, fault.sequence(), fault.message());
    }

    private static Map<String, Object> members(AuditFault fault) {
        return Map.of(
                "kind", word(fault),
                "file", fault.file(),
                "line", fault.line(),
                "sequence", fault.sequence(),
                "message", fault.message());
    }

    private static String word(AuditFault fault) {
        return fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
