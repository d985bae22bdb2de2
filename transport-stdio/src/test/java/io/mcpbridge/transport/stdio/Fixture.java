package io.mcpbridge.transport.stdio;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReceiver;
import io.mcpbridge.testkit.StreamPeer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** What tests of children need: an environment whose threads run already, and commands. */
final class Fixture implements AutoCloseable {
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    final RecordingLogger logger = new RecordingLogger();
    final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final PlainProcessLauncher launcher = new PlainProcessLauncher();
    private final ExecutorService workers = Executors.newFixedThreadPool(2, work -> new Thread(work, "test-worker"));
    final Environment environment =
            Environment.of(timekeeper, workers, launcher).withLogger(logger);

    /** Starts the threads that live as long as the environment, so that no test counts them as left behind. */
    Fixture() {
        timekeeper.schedule(Duration.ZERO, () -> {});
        try {
            launcher.launch(LaunchCommand.of(List.of("true"), Map.of("PATH", System.getenv("PATH"))));
        } catch (InterruptedException | TransportException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    StdioTransport shell(String script) {
        return new StdioTransport(settings("sh", "-c", script), environment);
    }

    /** A child that has longer for its end than any test lasts. */
    StdioTransport shellWithLongStopTimeout(String script) {
        return new StdioTransport(withStopTimeout(settings("sh", "-c", script), Duration.ofHours(1)), environment);
    }

    /** A child that plays the testkit's echo script. */
    StdioTransport echo() {
        return new StdioTransport(java(StreamPeer.class), environment);
    }

    static StdioTransportSettings java(Class<?> program) {
        var classPath = System.getProperty("java.class.path");
        return settings(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                classPath,
                program.getName());
    }

    static StdioTransportSettings settings(String command, String... args) {
        return withStopTimeout(StdioTransportSettings.of(command, List.of(args)), Duration.ofMillis(300));
    }

    static StdioTransportSettings withStopTimeout(StdioTransportSettings settings, Duration timeout) {
        return new StdioTransportSettings(
                settings.command(),
                settings.args(),
                settings.env(),
                settings.cwd(),
                timeout,
                settings.maxQueued(),
                settings.maxQueuedBytes(),
                settings.confinement(),
                settings.sha256());
    }

    Deadline deadline() {
        return Deadline.after(TIMEOUT, timekeeper);
    }

    Outgoing outgoing(Message message) {
        return Outgoing.of(message, ProtocolVersion.LATEST_LEGACY, deadline());
    }

    Outgoing request(long id, String text) {
        return outgoing(Request.of(MessageId.of(id), "echo", "{\"text\":\"" + text + "\"}"));
    }

    /** Opens a connection to a child that ends it by itself. */
    Closed closedAfter(RecordingReceiver receiver, String script) throws InterruptedException {
        var transport = shell(script);
        transport.open(receiver, deadline());
        // A gigabyte takes long on a busy machine.
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> !receiver.closings().isEmpty());
        var closed = receiver.awaitClosed();
        transport.close();
        return closed;
    }

    /** The first message of a child that waits for a request. */
    Response messageOf(RecordingReceiver receiver, String script) throws InterruptedException {
        var transport = shell(script);
        transport.open(receiver, deadline());
        transport.send(request(1, "hello"));
        var message = (Response) receiver.awaitMessage();
        transport.close();
        return message;
    }

    @Override
    public void close() {
        launcher.close();
        workers.shutdownNow();
        timekeeper.close();
    }
}
