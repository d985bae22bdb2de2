package io.mcpbridge.engine.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.SessionOwner;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit;
import io.mcpbridge.engine.upstream.connection.RejectedRequest;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.UpstreamContext;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.engine.upstream.lists.ListPager;
import io.mcpbridge.engine.upstream.lists.ListPager.Listing;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a process that runs one call. If the catalog is strict, the process lists its tools before it is
 * ready. Any thread may use it.
 */
final class SingleUseProcessConnection implements SingleUseProcess {
    private final UpstreamContext context;
    private final UpstreamParts parts;
    private final ConnectAttempt connectAttempt;
    private final Listener listener;
    private volatile @Nullable ServerConnection connection;
    private volatile Map<String, ToolDefinition> tools = Map.of();
    private volatile @Nullable Caller served;
    private volatile boolean hasOtherTools;

    SingleUseProcessConnection(UpstreamContext context, Kind kind, Caller caller, Listener listener) {
        this.context = context;
        this.listener = listener;
        this.parts = context.parts();
        this.connectAttempt = new ConnectAttempt(
                context,
                () -> new ServerConnection(context, parts.transport(kind.memoryMb()), caller, new ConnectionEvents()),
                caller,
                new ConnectResult());
    }

    @Override
    public void start() {
        connectAttempt.begin();
    }

    @Override
    public Optional<Failure> failure() {
        return Optional.ofNullable(connection)
                .flatMap(ServerConnection::closeReason)
                .map(Closed::toFailure);
    }

    @Override
    public Map<String, ToolDefinition> tools() {
        return hasOtherTools ? Map.of() : tools;
    }

    @Override
    public void serve(Call call, Reply reply, CallQueueLimit.Place place) {
        var ready = Objects.requireNonNull(connection, "only a process that is ready has a call");
        served = call.caller();
        ready.clients().ownerChanged();
        ready.send(call, reply, place);
    }

    @Override
    public void hangUp() {
        connectAttempt.hangUp();
    }

    @Override
    public void close() {
        connectAttempt.giveUp();
    }

    @Override
    public void kill() {
        connectAttempt.kill();
    }

    private void ready(ServerConnection connected) {
        connection = connected;
        listener.ready(this);
    }

    private void failed(Failure why) {
        listener.failed(this, failure(why));
    }

    private Failure failure(Failure why) {
        return why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
    }

    private final class ConnectResult implements ConnectAttempt.Listener {

        @Override
        public void connected(ServerConnection connected, ServerProfile profile) {
            if (context.admission().isStrict() && profile.declares(ListKind.TOOLS.capability())) {
                new ToolListing(connected).begin();
            } else {
                ready(connected);
            }
        }

        @Override
        public void failed(Failure why) {
            SingleUseProcessConnection.this.failed(why);
        }

        @Override
        public void gone() {
            listener.gone(SingleUseProcessConnection.this);
        }
    }

    /**
     * Receives unsolicited messages of the process. Drops notifications about its lists and resources, since the
     * process ends before a client could fetch them.
     */
    private final class ConnectionEvents implements ServerConnection.Listener {

        @Override
        public void closed(ServerConnection closed, Closed why) {
            if (connection != null) {
                listener.ended(
                        SingleUseProcessConnection.this,
                        failure(why.toFailure()),
                        closed.usage().wasUseful());
            }
        }

        /** Fails the request; the retry policy decides whether the next process gets the call. */
        @Override
        public void rejected(ServerConnection rejecting, RejectedRequest request) {
            if (request.cause() == Cause.WRONG_ERA) {
                context.eras().doubt();
            }
            request.end();
        }

        @Override
        public void notified(ServerConnection notifying, Notification notification) {
            if (notification.method().equals(Methods.TOOLS_LIST_CHANGED)) {
                hasOtherTools = true;
            }
        }

        @Override
        public SessionOwner owner() {
            var caller = served;
            return caller == null ? SessionOwner.awaited() : SessionOwner.ofOnlyCall(caller);
        }
    }

    /**
     * Reads the tools of the process, for comparison with the approved ones. All pages together must arrive within the
     * time-out of one request.
     */
    private final class ToolListing implements ListPager.Listener<ToolDefinition> {
        private final ServerConnection connected;
        private final Era era;
        private final Deadline deadline = parts.deadline();

        private ToolListing(ServerConnection connected) {
            this.connected = connected;
            this.era = connected.isModern() ? Era.MODERN : Era.LEGACY;
        }

        private void begin() {
            new ListPager<>(ListKind.TOOLS, parts.name(), era, parts.settings().listLimits(), this).begin();
        }

        @Override
        public void request(String method, String params, Consumer<Response> then) {
            var call = parts.call("tools", method, params, Caller.ANONYMOUS).withDeadline(deadline);
            connected.sendOwn(call, outcome -> {
                if (outcome instanceof Outcome.Answered answered) {
                    then.accept(answered.response());
                } else {
                    failed(((Outcome.Failed) outcome).failure());
                }
            });
        }

        @Override
        public Optional<String> flaw(ToolDefinition tool) {
            return parts.flaw(tool, era);
        }

        @Override
        public void listed(Listing<ToolDefinition> listed) {
            tools = listed.items().stream().collect(Collectors.toUnmodifiableMap(ToolDefinition::name, tool -> tool));
            ready(connected);
        }

        @Override
        public void failed(Failure why) {
            SingleUseProcessConnection.this.failed(why);
            parts.later(() -> {
                try {
                    connected.kill();
                } finally {
                    listener.gone(SingleUseProcessConnection.this);
                }
            });
        }
    }
}
