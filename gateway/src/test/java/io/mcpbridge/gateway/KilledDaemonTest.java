package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Row I4, end to end: a daemon that must record is killed at random points while clients call. {@code
 * -Dmcp-bridge.audit.daemon-kills=100} kills it more often.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@DisabledOnOs(OS.WINDOWS)
class KilledDaemonTest {
    private static final int KILLS = Integer.getInteger("mcp-bridge.audit.daemon-kills", 6);
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int CLIENTS = 3;
    private static final int MOST_CALLS = 100;

    private final Random random = new Random(42);
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final DaemonFixture fixture;
    private final Path trail;
    private final Path file;

    KilledDaemonTest() throws IOException {
        fixture = new DaemonFixture();
        trail = fixture.folder.resolve("audit");
        file = fixture.folder.resolve("mcp.json");
        fixture.unix("tool", new ToolScript("tool", "echo"));
        fixture.bridge(
                "\"audit\": {\"mode\": \"required\", \"level\": \"arguments\", \"path\": \"%s\"}, ".formatted(trail));
        Files.writeString(file, fixture.json());
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
    }

    @Test
    void i4DaemonKilledUnderLoadKeepsTheRecordsOfAllAnsweredCalls() throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            killUnderLoad("k" + kill);
        }
        try (var last = start("last")) {
            last.signal("TERM");
            assertThat(last.exitCode()).isZero();
        }

        var records = records();
        var keys = VerificationKey.read(fixture.folder.resolve("audit.pub"));
        assertThat(AuditVerifier.verify(trail, keys).fault()).isEmpty();
        assertThat(texts(records, RecordType.ENTER, "arguments")).containsAll(answered);
        assertThat(texts(records, RecordType.EXIT, "correlationId"))
                .containsExactlyInAnyOrderElementsOf(texts(records, RecordType.ENTER, "correlationId"));
    }

    private void killUnderLoad(String name) throws Exception {
        var callers = new ArrayList<Thread>();
        try (var process = start(name)) {
            var wanted = answered.size() + random.nextInt(1, MOST_CALLS);
            for (int i = 0; i < CLIENTS; i++) {
                var caller = name + "-" + i;
                var client = fixture.client(caller);
                callers.add(new Thread(() -> call(client, caller), "test-" + caller));
            }
            callers.forEach(Thread::start);
            Eventually.holds(() -> wanted + " answers; there are " + answered.size(), () -> answered.size() >= wanted);
            assertThat(process.isAlive()).isTrue();
        }
        for (var caller : callers) {
            caller.join();
        }
    }

    private DaemonProcess start(String name) throws Exception {
        // Files of the killed daemon could be mistaken for those of the next one.
        Files.deleteIfExists(fixture.adminSocket());
        var process = DaemonProcess.start(file, fixture.folder.resolve(name + ".log"));
        Eventually.holds(LONGEST_START, () -> "the daemon to listen", () -> Files.exists(fixture.adminSocket()));
        return process;
    }

    /** Calls until the daemon is gone. */
    private void call(LineClient client, String prefix) {
        for (int i = 0; !client.isOver(); i++) {
            var arguments = "{\"n\":\"%s-%d\"}".formatted(prefix, i);
            try {
                var id = client.callLater("tool__echo", arguments);
                Eventually.holds("an answer or the end", () -> client.hasAnswer(id) || client.isOver());
                if (client.hasAnswer(id) && !client.answer(id).isError()) {
                    answered.add(arguments);
                }
            } catch (UncheckedIOException killed) {
                return;
            }
        }
    }

    private List<ParsedRecord> records() throws IOException {
        var records = new ArrayList<ParsedRecord>();
        try (var reader = AuditReader.open(trail)) {
            for (var line = reader.nextLine(); line.isPresent(); line = reader.nextLine()) {
                var record = ParsedRecord.parse(line.get());
                if (record.sequence() < reader.end()) {
                    records.add(record);
                }
            }
        }
        return records;
    }

    private static Set<String> texts(List<ParsedRecord> records, RecordType type, String key) {
        return records.stream()
                .filter(record -> record.type() == type)
                .flatMap(record -> record.text(key).stream())
                .collect(Collectors.toSet());
    }
}
