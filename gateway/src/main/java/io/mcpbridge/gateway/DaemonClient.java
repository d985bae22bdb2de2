package io.mcpbridge.gateway;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A blocking client of a socket of a running daemon: of the administrative one, or of that for clients, where it speaks
 * the modern era, which has no handshake. It loads few classes and starts no engine, whose start would take longer
 * than the call of a command. For one thread; the caller of {@link #connect} closes it.
 */
public final class DaemonClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** How long the answer of a daemon that knows the time-out may take to arrive. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final String SUFFIX = ".sock";
    private static final int ROOM = 16 << 10;

    private final Path socket;
    private final Duration timeout;
    private final SystemTimekeeper timekeeper;
    private final SocketChannel channel;
    private final FrameSplitter frames = new FrameSplitter(Limits.SERVER);
    private final Queue<byte[]> arrived = new ArrayDeque<>();
    private long lastId;

    private DaemonClient(Path socket, Duration timeout, SystemTimekeeper timekeeper, SocketChannel channel) {
        this.socket = socket;
        this.timeout = timeout;
        this.timekeeper = timekeeper;
        this.channel = channel;
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

    /** Connects to an administrative socket, usually {@link #socketBeside} that of the clients. */
    public static DaemonClient connect(Path socket) throws InterruptedException {
        return connect(socket, TIMEOUT);
    }

    /**
     * Connects.
     *
     * @param timeout of connecting and of each request, whose answer may take a second more to arrive
     * @throws io.mcpbridge.failure.ConfigurationException if the path is too long for a socket
     * @throws io.mcpbridge.failure.TransportException if no daemon listens there, or the socket belongs to an untrusted
     *     user
     */
    public static DaemonClient connect(Path socket, Duration timeout) throws InterruptedException {
        var path = UnixSocket.checked(socket.toAbsolutePath().normalize());
        var timekeeper = new SystemTimekeeper();
        try {
            var channel = UnixSocket.connect(path, Deadline.after(timeout, timekeeper));
            return new DaemonClient(socket, timeout, timekeeper, channel);
        } catch (InterruptedException | RuntimeException failed) {
            timekeeper.close();
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
        var response = ask(method, "{}");
        if (response.isError()) {
            throw CallException.of(JsonRpcErrorMapper.toFailure(response));
        }
        return response.raw(MessageField.RESULT).orElse("{}");
    }

    /**
     * Sends a request and returns its response, which may be an error.
     *
     * @param params a JSON object
     * @throws CallException if the daemon does not answer in time or closes the connection
     */
    public Response ask(String method, String params) throws InterruptedException {
        var request = Request.of(MessageId.of(++lastId), method, params);
        var alarm = Deadline.after(timeout.plus(GRACE), timekeeper).alarm(() -> UnixSocket.close(channel));
        try {
            for (var bytes : List.of(request.bytes(), ByteBuffer.wrap(new byte[] {'\n'}))) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            return read(request.id());
        } catch (ClosedByInterruptException interrupted) {
            // The exception that follows replaces the flag.
            Thread.interrupted();
            throw new InterruptedException("interrupted while the daemon at '%s' was asked".formatted(socket));
        } catch (ClosedChannelException late) {
            var message = "the daemon at '%s' did not answer '%s' within %d ms";
            throw failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, message.formatted(socket, method, timeout.toMillis())));
        } catch (IOException lost) {
            throw lost(String.valueOf(lost.getMessage()));
        } finally {
            alarm.cancel();
        }
    }

    /** Reads until the response to this request; other messages do not concern it. */
    private Response read(MessageId id) throws IOException {
        var buffer = ByteBuffer.allocate(ROOM);
        while (true) {
            for (var frame = arrived.poll(); frame != null; frame = arrived.poll()) {
                if (Message.scan(frame, Limits.SERVER) instanceof Response response
                        && response.id().filter(id::equals).isPresent()) {
                    return response;
                }
            }
            if (channel.read(buffer.clear()) < 0) {
                throw lost("the peer closed the connection");
            }
            frames.feed(buffer.flip(), arrived::add);
        }
    }

    private static CallException lost(String why) {
        return failed(Closed.disconnected("the connection to the server is lost: " + why)
                .toFailure());
    }

    private static CallException failed(Failure why) {
        return CallException.of(why.withDelivery(Delivery.UNKNOWN));
    }

    @Override
    public void close() {
        UnixSocket.close(channel);
        timekeeper.close();
    }
}
