package io.mcpbridge.transport.stdio;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.process.ChildEnvironment;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.spi.TransportTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A transport to a server that runs as a child process, one JSON message per line.
 *
 * <p>Opening starts the child; closing ends it and its descendants. Three threads serve it: one reads its standard
 * output, one its standard error, one writes its standard input. A child that does not read blocks no sender: messages
 * wait in a bounded queue. Closing waits for a start in progress, within its time-out; a child that starts later is
 * ended before it gets any message.
 */
public final class StdioTransport implements Transport {
    private final StdioTransportSettings settings;
    private final Environment environment;
    private final ProgramDigestCache digests;
    private final AtomicBoolean isOpened = new AtomicBoolean();
    private final CountDownLatch isStarted = new CountDownLatch(1);
    private volatile boolean isClosed;
    private volatile @Nullable ChildConnection connection;

    /** Creates a transport that is not open yet. */
    public StdioTransport(StdioTransportSettings settings, Environment environment) {
        this(settings, environment, new ProgramDigestCache());
    }

    /** Creates a transport that shares a cache of program digests. */
    StdioTransport(StdioTransportSettings settings, Environment environment, ProgramDigestCache digests) {
        this.digests = digests;
        this.settings = settings;
        this.environment = environment;
    }

    @Override
    public void open(Receiver receiver, Deadline deadline) throws InterruptedException {
        if (isOpened.getAndSet(true)) {
            throw new IllegalStateException("the transport to '" + settings.command() + "' was opened before");
        }
        var opened = start(receiver, deadline);
        if (isClosed) {
            opened.close(Duration.ZERO);
        }
    }

    /** Starts the child. A concurrent close waits for the end of the start. */
    private ChildConnection start(Receiver receiver, Deadline deadline) throws InterruptedException {
        try {
            requireOpen();
            requireTime(deadline);
            var command = command();
            var pin = new ProgramPin(settings.sha256(), digests);
            var child = pin.launch(
                    command, environment.launcher(), environment.timekeeper().now());
            var opened = new ChildConnection(settings, environment, child, receiver);
            connection = opened;
            opened.start();
            return opened;
        } finally {
            isStarted.countDown();
        }
    }

    private void requireOpen() {
        if (isClosed) {
            var message = "'%s' was not started: the transport to it was closed before".formatted(settings.command());
            throw TransportException.of(Failure.of(ErrorCode.SHUTTING_DOWN, message));
        }
    }

    @Override
    public void send(Outgoing out) {
        var open = connection;
        if (open == null) {
            throw new IllegalStateException("the transport to '" + settings.command() + "' is not open");
        }
        open.send(out);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        var open = connection;
        return open != null && open.abandon(out, reason);
    }

    @Override
    public TransportTraits traits() {
        var open = connection;
        var pid = open == null ? OptionalLong.empty() : OptionalLong.of(open.pid());
        return new TransportTraits(TransportTraits.Shape.SHARED_STREAM, "pipe", settings.command(), pid);
    }

    @Override
    public void close() {
        close(settings.stopTimeout());
    }

    @Override
    public void closeAtOnce() {
        close(Duration.ZERO);
    }

    @Override
    public void hangUp() {
        var open = connection;
        if (open != null) {
            open.hangUp();
        }
    }

    private void close(Duration timeout) {
        isClosed = true;
        if (isOpened.get()) {
            awaitStart(timeout);
        }
        var open = connection;
        if (open != null) {
            open.close(timeout);
        }
    }

    private void awaitStart(Duration timeout) {
        try {
            isStarted.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the sandbox level of the child, or that it would get.
     *
     * @throws ConfigurationException if its launcher would reject that level
     */
    SandboxLevel level() {
        var command = command();
        environment.launcher().refusal(command).ifPresent(why -> {
            throw ConfigurationException.of("'%s' cannot be started: %s".formatted(command, why));
        });
        return environment.launcher().level(command);
    }

    private void requireTime(Deadline deadline) {
        if (deadline.isExpired()) {
            var message = "Cannot start '%s': its whole time-out of %d ms had passed before"
                    .formatted(settings.command(), deadline.span().toMillis());
            throw TransportException.of(Failure.of(ErrorCode.PROVIDER_TIMEOUT, message));
        }
    }

    private LaunchCommand command() {
        var words = new ArrayList<>(List.of(settings.command()));
        words.addAll(settings.args());
        var command = settings.confinement()
                .of(LaunchCommand.of(words, ChildEnvironment.of(environment.variables(), settings.env())));
        return settings.cwd().toString().isEmpty() ? command : command.inFolder(settings.cwd());
    }

    /** Provides {@code stdio}: servers that run as child processes, over their standard streams. */
    public static final class StdioTransportProvider implements TransportProvider {
        private final ProgramDigestCache digests = new ProgramDigestCache();

        @Override
        public Id id() {
            return new Id("stdio", SPI_VERSION);
        }

        @Override
        public Set<String> schemes() {
            return Set.of("stdio");
        }

        @Override
        public Transport create(Settings settings, Environment environment) {
            return new StdioTransport(StdioTransportSettings.from(settings), environment, digests);
        }

        @Override
        public Optional<SandboxLevel> sandbox(Settings settings, Environment environment) {
            return Optional.of(new StdioTransport(StdioTransportSettings.from(settings), environment).level());
        }
    }
}
