package io.mcpbridge.golden;

import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Credentials;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The daemon of one conversation, with a clock and random numbers of the test: all that these tests know of the engine. */
final class GoldenDaemon implements AutoCloseable {
    private final FakeTimekeeper clock = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final ExecutorService workers = Executors.newCachedThreadPool(work -> {
        var thread = new Thread(work, "golden-worker");
        thread.setDaemon(true);
        return thread;
    });
    private final PlainProcessLauncher launcher = new PlainProcessLauncher();
    private final Daemon daemon;

    /** Starts a daemon in a folder. */
    GoldenDaemon(String json, Path folder) {
        var environment = Environment.of(clock, workers, launcher)
                .withRandom(new CountingRandom())
                .withVariables(Map.of("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin")))
                .withLogger(log)
                .withCredentials(new CountedCredentials());
        var configuration = BridgeConfiguration.parse(json, folder, Map.of());
        daemon = Daemon.start(configuration, DaemonOptions.DEFAULTS.withEnvironment(environment));
    }

    /** The port of the HTTP listener. */
    int port() {
        return daemon.addresses().stream()
                .filter(address -> "http".equals(address.getScheme()))
                .findFirst()
                .orElseThrow()
                .getPort();
    }

    /** Moves the clock, and runs the alarms that are due. */
    void advance(Duration span) {
        clock.advance(span);
    }

    /** Whether an alarm is set that is due after exactly this span. */
    boolean hasAlarmIn(Duration span) {
        return clock.alarms().contains(span);
    }

    /** When alarms are due, for messages of failures. */
    List<Duration> alarms() {
        return clock.alarms();
    }

    List<String> log() {
        return log.lines();
    }

    /** Ends the daemon in good order. */
    @Override
    public void close() {
        daemon.close();
        launcher.close();
        workers.shutdownNow();
    }

    /** The lines of a trail, once its chain has been verified. */
    static List<String> trail(Path trail, Path publicKey) throws IOException {
        var report = AuditVerifier.verify(trail, VerificationKey.read(publicKey));
        if (report.fault().isPresent()) {
            throw new AssertionError("the audit trail does not verify: " + report.fault());
        }
        try (var files = Files.list(trail)) {
            var segment =
                    files.filter(file -> file.toString().endsWith(".jsonl")).findFirst();
            return segment.isPresent() ? Files.readAllLines(segment.get()) : List.of("(no record)");
        }
    }

    /** What the server {@code guarded} is shown; each renewal counts. */
    private static final class CountedCredentials implements Credentials {
        private final AtomicInteger count = new AtomicInteger(1);

        @Override
        public MessageHeaders headers(Principal principal, String server) {
            return server.equals("guarded")
                    ? MessageHeaders.EMPTY.with("Authorization", "Bearer credential-" + count)
                    : MessageHeaders.EMPTY;
        }

        @Override
        public void refresh(Principal principal, String server, String challenge, Completion completion) {
            if (server.equals("guarded")) {
                count.incrementAndGet();
                completion.succeeded();
            } else {
                Credentials.super.refresh(principal, server, challenge, completion);
            }
        }
    }
}
