package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks a running daemon how it is, over its administrative socket, and waits for each answer. Any thread may use
 * it; whoever connects it closes it.
 */
public final class AdminClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path socket;
    private final StandardEnvironment environment;
    private final Transport transport;
    private final AdminAnswers answers = new AdminAnswers();
    private final AtomicLong lastId = new AtomicLong();

    private AdminClient(Path socket, StandardEnvironment environment, Transport transport) {
        this.socket = socket;
        this.environment = environment;
        this.transport = transport;
    }

    /**
     * Connects.
     *
     * @param socket the administrative socket, usually {@link AdminSocket#beside} that of the clients
     * @throws io.mcpbridge.failure.TransportException if nobody listens there, or somebody who is not to be trusted
     */
    public static AdminClient connect(Path socket) throws InterruptedException {
        var environment = StandardEnvironment.open();
        AdminClient connected = null;
        try {
            var transport = Providers.of(TransportProvider.class)
                    .named("unix")
                    .create(Settings.of(Map.of("path", socket.toString())), environment.environment());
            var client = new AdminClient(socket, environment, transport);
            transport.open(client.answers, client.deadline());
            connected = client;
            return client;
        } finally {
            if (connected == null) {
                environment.close();
            }
        }
    }

    public BridgeHealth health() throws InterruptedException {
        return AdminReading.health(ask(AdminWriting.HEALTH));
    }

    /** The servers in the order of the configuration. */
    public List<ServerRecord> servers() throws InterruptedException {
        return AdminReading.servers(ask(AdminWriting.SERVERS));
    }

    /** The clients that are connected, the oldest first. */
    public List<ClientRecord> clients() throws InterruptedException {
        return AdminReading.clients(ask(AdminWriting.CLIENTS));
    }

    /**
     * The raw JSON that the daemon answers with.
     *
     * @param method such as {@code bridge/health}
     * @throws CallException if the daemon refuses, does not answer in time or goes away
     */
    public String ask(String method) throws InterruptedException {
        var request = Request.of(MessageId.of(lastId.incrementAndGet()), method);
        var answer = answers.expect(request.id());
        transport.send(Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, deadline()));
        var response = await(answer, method);
        if (response.isError()) {
            throw CallException.of(JsonRpcErrors.toFailure(response));
        }
        return response.raw(Part.RESULT).orElse("{}");
    }

    private Response await(CompletableFuture<Response> answer, String method) throws InterruptedException {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            var message = "the daemon at '%s' did not answer '%s' within %d ms";
            throw CallException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message.formatted(socket, method, PATIENCE.toMillis())));
        } catch (ExecutionException gone) {
            throw gone.getCause() instanceof CallException why
                    ? why
                    : new IllegalStateException("asking the daemon ended in a defect", gone.getCause());
        }
    }

    private Deadline deadline() {
        return Deadline.after(PATIENCE, environment.environment().timekeeper());
    }

    @Override
    public void close() {
        transport.close();
        environment.close();
    }
}
