package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.ScriptedServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A Java program in front of a scripted server, with a clock and a log in the hands of the test. */
final class FrontDoorBench {
    static final URI HERE = URI.create("memory:here");

    private static final String WELCOME = """
        {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"here","version":"1"}}\
        """;

    final ScriptedServer server = new ScriptedServer().on(Methods.INITIALIZE, WELCOME);
    final InMemoryTransportProvider transports = InMemoryTransportProvider.to(server);
    final FakeTimekeeper time = new FakeTimekeeper();
    final RecordingLogger log = new RecordingLogger();

    Environment environment(Map<String, String> variables) {
        return Environment.of(time, Runnable::run, new PlainProcessLauncher())
                .withVariables(variables)
                .withLogger(log);
    }

    ConnectionOptions connecting(Map<String, String> variables) {
        return ConnectionOptions.DEFAULTS
                .withTransport(transports)
                .withEnvironment(environment(variables))
                .withoutSchemaCheck();
    }

    /** Options of a connection that lists and checks tools. */
    ConnectionOptions listing() {
        return ConnectionOptions.DEFAULTS
                .withTransport(transports)
                .withEnvironment(environment(Map.of()))
                .withRetryPolicy("none");
    }

    BridgeOptions bridging() {
        return BridgeOptions.DEFAULTS
                .withTransports(Providers.only(TransportProvider.class, List.of(transports)))
                .withStages(Providers.only(CallStageProvider.class, List.of()))
                .withEnvironment(environment(Map.of()));
    }

    /** Options of a bridge that checks tools. */
    BridgeOptions checking() {
        return BridgeOptions.DEFAULTS
                .withTransports(Providers.only(TransportProvider.class, List.of(transports)))
                .withEnvironment(environment(Map.of()));
    }

    /** Moves the clock on once the call waits for it, by the pause before the next attempt and not a moment less. */
    void pass(Duration pause) {
        Eventually.holds(
                () -> "a pause of " + pause + "; the next alarm is due in " + time.untilNextAlarm(),
                () -> time.untilNextAlarm().filter(pause::equals).isPresent());
        time.advance(pause);
    }

    /** Advances the clock by the timeout of a call that the server has received. */
    Request timeOut(Duration timeout) {
        var request = server.awaitRequest();
        time.advance(timeout);
        return request;
    }

    long cancellations() {
        return server.received().stream().filter(FrontDoorBench::isCancellation).count();
    }

    private static boolean isCancellation(Message message) {
        return message instanceof Notification note && note.method().equals(Methods.CANCELLED);
    }

    static boolean isPending(CompletableFuture<?> result) {
        return !result.isDone();
    }

    /** How a call failed. */
    static <E extends CallException> E failure(Class<E> type, CompletableFuture<?> result) {
        try {
            throw new AssertionError("should have failed, but returned " + result.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException failed) {
            assertThat(failed).hasCauseInstanceOf(type);
            return type.cast(Objects.requireNonNull(failed.getCause()));
        } catch (InterruptedException | TimeoutException noEnd) {
            throw new AssertionError(noEnd);
        }
    }
}
