package io.mcpbridge.audit.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.database.Events;
import io.mcpbridge.audit.database.TestEnvironment;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtelAuditSinksTest extends AuditSinkContract {
    private final InMemoryLogRecordExporter exported = InMemoryLogRecordExporter.create();

    @Override
    protected AuditSink open() {
        return open(Map.of());
    }

    @Override
    protected String stored() {
        return events().toString();
    }

    private AuditSink open(Map<String, ?> section) {
        var telemetry = OpenTelemetrySdk.builder()
                .setLoggerProvider(SdkLoggerProvider.builder()
                        .addLogRecordProcessor(SimpleLogRecordProcessor.create(exported))
                        .build())
                .build();
        var environment = TestEnvironment.usual();
        return OtelAuditSinks.of(telemetry, AuditRecords.of(Settings.of(section), environment), environment);
    }

    @Test
    void callIsTwoEventsWithAttributesAndNoBody() {
        try (var sink = open()) {
            sink.enter(Events.enter("c-1"), new Events.Word());
            sink.exit(Events.exit("c-1"), new Events.Word());
        }

        assertThat(events()).extracting(LogRecordData::getEventName).containsOnly("mcpbridge.tool.call");
        assertThat(events()).extracting(LogRecordData::getSeverity).containsOnly(Severity.INFO);
        assertThat(events()).allSatisfy(each -> assertThat(each.getBodyValue()).isNull());
        assertThat(texts(0))
                .containsEntry("mcpbridge.audit.phase", "enter")
                .containsEntry("mcp.method.name", "tools/call")
                .containsEntry("gen_ai.tool.name", "echo")
                .containsEntry("mcpbridge.server", "local")
                .containsEntry("mcpbridge.audit.principal.name", "alice")
                .containsEntry("mcpbridge.correlation.id", "c-1");
        assertThat(texts(1))
                .containsEntry("mcpbridge.audit.phase", "exit")
                .containsEntry("mcpbridge.outcome", "ok")
                .containsEntry("mcpbridge.audit.duration_ms", "3");
    }

    @ParameterizedTest
    @CsvSource({
        "prompts/get, greeting, gen_ai.prompt.name",
        "resources/read, file:///notes, mcp.resource.uri",
        "resources/subscribe, file:///notes, mcp.resource.uri",
        "completion/complete, greeting, mcpbridge.audit.subject"
    })
    void subjectHasTheAttributeOfSpans(String method, String subject, String key) {
        var call = AuditedCallFixture.of(method, "local", subject, "");

        try (var sink = open()) {
            sink.enter(
                    new ToolEnter(AuditedCallFixture.by(call, "c-1", Principal.ANONYMOUS, "desktop"), "{}", "", 1),
                    new Events.Word());
        }

        assertThat(texts(0)).containsEntry(key, subject).doesNotContainKey("gen_ai.tool.name");
    }

    @Test
    void eventIsInTheTraceOfItsCall() {
        try (var sink = open()) {
            sink.enter(
                    Events.enter("c-1", TraceParent.of("4bf9".repeat(8), "00f0".repeat(4), "01")), new Events.Word());
            sink.enter(Events.enter("c-2"), new Events.Word());
        }

        assertThat(events().get(0).getSpanContext().getTraceId()).isEqualTo("4bf9".repeat(8));
        assertThat(events().get(0).getSpanContext().getSpanId()).isEqualTo("00f0".repeat(4));
        assertThat(events().get(1).getSpanContext().isValid()).isFalse();
    }

    @Test
    void failedCallIsAWarning() {
        var echo = AuditedCallFixture.of("tools/call", "local", "echo", "");

        try (var sink = open()) {
            sink.exit(Events.exit("c-1", Response.error(MessageId.of(1), -32000, "no")), new Events.Word());
            sink.denied(new ToolDenied(AuditedCallFixture.by(echo, "c-2", Principal.ANONYMOUS, ""), "mode READONLY"));
            sink.note(new AuditNote(AuditNote.PEER_REFUSED, Map.of("user", "1001")));
        }

        assertThat(events()).extracting(LogRecordData::getSeverity).containsOnly(Severity.WARN);
        assertThat(events().get(2).getEventName()).isEqualTo("mcpbridge.audit.note");
    }

    @Test
    void secretArgumentIsInNoEvent() {
        try (var sink = open(Map.of("level", "arguments"))) {
            sink.enter(Events.enter("c-1", "{\"city\":\"Bern\",\"password\":\"hunter2\"}"), new Events.Word());
        }

        assertThat(events().toString()).contains("Bern").doesNotContain("hunter2");
    }

    private List<LogRecordData> events() {
        return exported.getFinishedLogRecordItems();
    }

    private Map<String, String> texts(int place) {
        var texts = new java.util.TreeMap<String, String>();
        events().get(place)
                .getAttributes()
                .forEach((AttributeKey<?> key, Object value) -> texts.put(key.getKey(), String.valueOf(value)));
        return texts;
    }
}
