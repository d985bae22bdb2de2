package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A daemon with an audit trail and one server; both end with the test. */
final class AuditFixture implements AfterEachCallback {
    final ToolScript script = new ToolScript("one", "echo", "hang", "fail", "crash", "steps", "ask");
    final RecordingAuditSink sink = new RecordingAuditSink();
    final DaemonFixture fixture;

    AuditFixture() {
        try {
            fixture = new DaemonFixture();
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    /** Starts the daemon with these members of {@code bridge}; returns a client. */
    LineClient started(String bridge) throws IOException {
        fixture.unix("one", script);
        fixture.bridge(bridge).start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        return fixture.client("alice");
    }

    /** The same, with these members in the section of the server. */
    LineClient startedWith(String members, String bridge) throws IOException {
        var section = fixture.unix("one", script).section();
        fixture.server("one", section.replace("}", ", " + members + "}"));
        fixture.bridge(bridge).start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        return fixture.client("alice");
    }

    /** Waits for the first exit record. */
    ToolExit exit() {
        return Eventually.get(() -> "an exit", () -> sink.exits().stream().findFirst());
    }

    static Failure failure(ToolExit exit) {
        return ((Outcome.Failed) exit.outcome()).failure();
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException {
        fixture.close();
        assertThat(sink.isClosed()).isTrue();
    }
}
