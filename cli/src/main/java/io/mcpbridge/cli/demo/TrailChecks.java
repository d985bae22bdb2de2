package io.mcpbridge.cli.demo;

import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditRange;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.cli.trail.CallLines;
import io.mcpbridge.cli.trail.KeptCopy;
import io.mcpbridge.cli.trail.Trail;
import io.mcpbridge.cli.trail.TrailFilter;
import io.mcpbridge.cli.trail.TrailKeys;
import io.mcpbridge.cli.trail.TrailProof;
import io.mcpbridge.cli.trail.TrailScreen;
import io.mcpbridge.cli.trail.TrailVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.function.UnaryOperator;

/** Shows the audit trail that the daemon left, and that it is whole. */
final class TrailChecks implements TrailScreen {
    private static final int FEW = 5;
    private static final int WIDTH = 100;

    private final Report report;

    TrailChecks(Report report) {
        this.report = report;
    }

    void run(Path folder) throws IOException {
        report.heading("The audit trail");
        var lines = CallLines.fitting(WIDTH, UnaryOperator.identity());
        show(lines.header());
        Trail.at(folder, lines, this).showLast(FEW, TrailFilter.ALL);
        pairs(folder);
        var key = FileAuditSettings.in(folder).publicKey();
        var verdict = TrailVerdict.of(folder, new TrailProof(TrailKeys.beside(key), KeptCopy.NONE), AuditRange.ALL);
        report.check(verdict.holds(), "verified: " + verdict.conclusion());
    }

    private void pairs(Path folder) throws IOException {
        var begun = new HashSet<String>();
        var open = new HashSet<String>();
        try (var reader = AuditReader.open(folder)) {
            for (var entry = reader.next(); entry.isPresent(); entry = reader.next()) {
                var record = entry.get().record().orElseThrow();
                var call = record.text("correlationId").orElse("");
                if (record.type() == RecordType.ENTER) {
                    begun.add(call);
                    open.add(call);
                } else if (record.type() == RecordType.EXIT) {
                    open.remove(call);
                }
            }
        }
        report.check(
                !begun.isEmpty() && open.isEmpty(),
                "each of the %d calls was recorded before it was sent, and when it had ended".formatted(begun.size()));
    }

    @Override
    public void show(String text) {
        report.tell(text);
    }

    @Override
    public void remark(String text) {
        report.check(false, text);
    }

    @Override
    public boolean isOver() {
        return false;
    }
}
