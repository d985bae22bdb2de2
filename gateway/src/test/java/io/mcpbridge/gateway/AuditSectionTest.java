package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.engine.AuditSinkChoice;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The section {@code audit} of a daemon. */
@Timeout(60)
class AuditSectionTest {
    @RegisterExtension
    final AuditFixture bench = new AuditFixture();

    private final ToolScript script = bench.script;
    private final RecordingAuditSink sink = bench.sink;
    private final DaemonFixture fixture = bench.fixture;

    @Test
    void nothingIsRecordedWithoutASection() throws IOException {
        fixture.unix("one", script);
        fixture.start();
        sink.close();

        assertThat(fixture.running().health().audit())
                .isEqualTo(new AuditHealth("noop", "off", "", false, 0, Optional.empty()));
    }

    @Test
    void emptySectionSelectsTheFileSink() {
        fixture.bridge("\"audit\": {}, ");
        sink.close();

        var section = fixture.configuration().bridge().plugIns().audit();

        assertThat(AuditSinkChoice.of(section).sink()).isEqualTo("file");
        assertThat(AuditSinkChoice.of(section).mode().isRequired()).isFalse();
    }

    @Test
    void maxWaitForARecordIsRead() {
        fixture.bridge("\"audit\": {\"sink\": \"file\", \"mode\": \"required\", \"wait\": \"3s\"}, ");
        sink.close();

        var section = fixture.configuration().bridge().plugIns().audit();

        assertThat(AuditSinkChoice.of(section).requirement().maxWait()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void waitOfZeroIsRejected() {
        fixture.bridge("\"audit\": {\"mode\": \"required\", \"wait\": \"0s\"}, ");
        sink.close();

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'bridge.audit.wait' is '0s' but must be from 10ms to 1m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"mode\": \"best-effort\"}", "{\"mode\": \"required\"}"})
    void changedAuditSectionRequiresARestart(String section) throws IOException {
        bench.started("\"audit\": {\"mode\": \"off\"}, ");
        fixture.bridge("\"audit\": %s, ".formatted(section));

        assertThatThrownBy(() -> fixture.running().reload(fixture.configuration()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'bridge.audit' has changed, which takes a restart");
    }

    @Test
    void unknownSinkAndModeAreRejected() throws IOException {
        fixture.bridge("\"audit\": {\"sink\": \"flie\", \"mode\": \"requird\"}, ");
        sink.close();

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("flie");
    }

    @ParameterizedTest
    @ValueSource(strings = {"required", "required-for-changes"})
    void noopSinkCannotBeRequired(String mode) throws IOException {
        fixture.bridge("\"audit\": {\"sink\": \"noop\", \"mode\": \"%s\"}, ".formatted(mode));
        sink.close();

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("which keeps no record");
    }

    @Test
    void nothingIsRecordedInModeOff() throws IOException {
        var client = bench.started("\"audit\": {\"mode\": \"off\"}, ");

        client.send("{\"jsonrpc\"\n");
        client.call("one__echo", "{}");
        client.call("none__echo", "{}");

        assertThat(sink.records()).isEmpty();
    }

    @Test
    void noFilesAreCreatedInModeOff() throws IOException {
        var trail = fixture.folder.resolve("trail");
        fixture.unix("one", script);
        fixture.bridge("\"audit\": {\"mode\": \"off\", \"path\": \"%s\"}, ".formatted(trail));
        fixture.start();
        sink.close();

        assertThat(trail).doesNotExist();
        assertThat(fixture.folder.resolve("trail.key")).doesNotExist();
    }

    @Test
    void notesOfListenersReachTheSink() throws IOException {
        var client = bench.started("");

        client.send("{\"jsonrpc\"\n");

        Eventually.holds("the note", () -> sink.notes().size() == 1);
        assertThat(sink.notes().get(0).kind()).isEqualTo("frame-refused");
        assertThat(sink.notes().get(0).details()).containsKeys("peer", "count");
        assertThat(Map.copyOf(sink.notes().get(0).details())).doesNotContainValue("{\"jsonrpc\"");
    }
}
