package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client of the administrative socket of a running daemon. Thread-safe; the caller of {@link #connect}
 * closes it.
 */
public final class AdminClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String SUFFIX = ".sock";

    private final Path socket;
    private final StandardEnvironment environment;
    private final Transport transport;
    private final Receiver receiver = new Receiver();
    private final AtomicLong lastId = new AtomicLong();

    private AdminClient(Path socket, StandardEnvironment environment, Transport transport) {
        this.socket = socket;
        this.environment = environment;
        this.transport = transport;
    }

    /**
     * The administrative socket beside the clients' socket: {@code admin.sock} beside {@code bridge.sock}, and {@code
     * tool-admin.sock} beside {@code tool.sock}, so that two daemons can share a folder.
     */
    public static Path socketBeside(Path clientSocket) {
        var name = String.valueOf(clientSocket.getFileName());
        var stem = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
        return clientSocket.resolveSibling(name.equals("bridge.sock") ? "admin.sock" : stem + "-admin.sock");
    }

    /**
     * Connects.
     *
     * @param socket the administrative socket, usually {@link #socketBeside} that of the clients
     * @throws io.mcpbridge.failure.TransportException if no daemon listens there, or the socket belongs to an untrusted
     *     user
     */
    public static AdminClient connect(Path socket) throws InterruptedException {
        var environment = StandardEnvironment.open();
        try {
            var transport = Providers.of(TransportProvider.class)
                    .named("unix")
                    .create(Settings.of(Map.of("path", socket.toString())), environment.environment());
            var client = new AdminClient(socket, environment, transport);
            transport.open(client.receiver, client.deadline());
            return client;
        } catch (InterruptedException | RuntimeException | Error failed) {
            environment.close();
            throw failed;
        }
    }

    public BridgeHealth health() throws InterruptedException {
        return AdminJson.read(BridgeHealth.class, ask(AdminJson.HEALTH));
    }

    /** The servers, in the order of the configuration. */
    public List<ManagedServerStatus> servers() throws InterruptedException {
        return AdminJson.read(AdminJson.Servers.class, ask(AdminJson.SERVERS)).servers();
    }

    /** The connected clients, the oldest first. */
    public List<ClientStatus> clients() throws InterruptedException {
        return AdminJson.read(AdminJson.Clients.class, ask(AdminJson.CLIENTS)).clients();
    }

    /**
     * Sends a request and returns the raw JSON of its result.
     *
     * @param method such as {@code bridge/health}
     * @throws CallException if the daemon returns an error, does not answer in time or closes the connection
     */
    public String ask(String method) throws InterruptedException {
        var request = Request.of(MessageId.of(lastId.incrementAndGet()), method);
        var answer = receiver.expect(request.id());
        transport.send(Outgoing.of(request, ProtocolVersion.LATEST_LEGACY, deadline()));
        var response = await(answer, method);
        if (response.isError()) {
            throw CallException.of(JsonRpcErrorMapper.toFailure(response));
        }
        return response.raw(MessageField.RESULT).orElse("{}");
    }

    private Response await(CompletableFuture<Response> answer, String method) throws InterruptedException {
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            var message = "the daemon at '%s' did not answer '%s' within %d ms";
            throw CallException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message.formatted(socket, method, TIMEOUT.toMillis())));
        } catch (ExecutionException gone) {
            throw gone.getCause() instanceof CallException why
                    ? why
                    : new IllegalStateException("a request to the daemon failed with a defect", gone.getCause());
        }
    }

    private Deadline deadline() {
        return Deadline.after(TIMEOUT, environment.environment().timekeeper());
    }

    @Override
    public void close() {
        transport.close();
        environment.close();
    }

    /** The requests that wait for their response, by id. Thread-safe. */
    private static final class Receiver implements Transport.Receiver {
        private final Map<MessageId, CompletableFuture<Response>> pending = new ConcurrentHashMap<>();
        private volatile @Nullable Closed closed;

        CompletableFuture<Response> expect(MessageId id) {
            var answer = new CompletableFuture<Response>();
            pending.put(id, answer);
            var ended = closed;
            if (ended != null) {
                fail(id, ended.toFailure());
            }
            return answer;
        }

        private void fail(MessageId id, Failure why) {
            var answer = pending.remove(id);
            if (answer != null) {
                answer.completeExceptionally(CallException.of(why));
            }
        }

        @Override
        public void writing(Outgoing out) {}

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            if (message instanceof Response response) {
                response.id().map(pending::remove).ifPresent(answer -> answer.complete(response));
            }
        }

        @Override
        public void failed(Outgoing out, RequestFailure why) {
            if (out.message() instanceof Request request) {
                fail(request.id(), why.failure());
            }
        }

        @Override
        public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
            answerTo.ifPresent(id -> fail(id, why.failure()));
        }

        @Override
        public void closed(Closed why) {
            closed = why;
            List.copyOf(pending.keySet()).forEach(id -> fail(id, why.toFailure()));
        }
    }
}
