package io.mcpbridge.routing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.UpstreamTools;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One merging of the tools of all servers: asks them at once and waits for none longer than {@link #PATIENCE}. A
 * server that fails or is late is missing from the list, and its tools count as a change when they come.
 */
final class MergedTools {
    /** How long a list waits for its slowest server. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Routes routes;
    private final Call call;
    private final Timekeeper timekeeper;
    private final System.Logger logger;
    private final Consumer<Lists> then;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, List<ToolDefinition>> answers = new HashMap<>();

    @GuardedBy("lock")
    private int missing;

    @GuardedBy("lock")
    private boolean isOver;

    private volatile Timekeeper.Alarm alarm = () -> {};

    MergedTools(Routes routes, Call call, Timekeeper timekeeper, System.Logger logger, Consumer<Lists> then) {
        this.routes = routes;
        this.call = call;
        this.timekeeper = timekeeper;
        this.logger = logger;
        this.then = then;
    }

    void begin() {
        lock.lock();
        try {
            // One more than the servers, so that answers which come at once do not end the merging early.
            missing = routes.all().size() + 1;
        } finally {
            lock.unlock();
        }
        alarm = timekeeper.schedule(PATIENCE, this::outOfPatience);
        routes.all().forEach(route -> route.tools().list(call.caller(), new Answer(route)));
        arrived("", null);
    }

    private void arrived(String server, @Nullable List<ToolDefinition> tools) {
        Optional<Lists> complete;
        lock.lock();
        try {
            if (tools != null) {
                answers.put(server, tools);
            }
            missing--;
            complete = missing == 0 ? finish() : Optional.empty();
        } finally {
            lock.unlock();
        }
        if (complete.isPresent()) {
            alarm.cancel();
            then.accept(complete.get());
        }
    }

    private void outOfPatience() {
        Optional<Lists> incomplete;
        lock.lock();
        try {
            incomplete = finish();
        } finally {
            lock.unlock();
        }
        incomplete.ifPresent(then);
    }

    @GuardedBy("lock")
    private Optional<Lists> finish() {
        if (isOver) {
            return Optional.empty();
        }
        isOver = true;
        for (var route : routes.all()) {
            if (!answers.containsKey(route.server())) {
                route.tools().oweChange(call.caller());
            }
        }
        return Optional.of(Lists.of(routes, answers));
    }

    /** Hears one server's list. */
    private final class Answer implements UpstreamTools.Listed {
        private final Route route;

        private Answer(Route route) {
            this.route = route;
        }

        @Override
        public void tools(List<ToolDefinition> tools) {
            arrived(route.server(), tools);
        }

        @Override
        public void failed(Failure why) {
            logger.log(
                    Level.WARNING,
                    "[mcp-bridge] the tools of server '%s' are missing from the list: %s"
                            .formatted(route.server(), why.message()));
            arrived(route.server(), null);
        }
    }

    /**
     * The tools of all servers under the names that clients see. Immutable.
     *
     * @param exposed the definitions, servers in the order of the configuration, tools in the order of their names
     * @param owners where each exposed name leads
     */
    record Lists(List<ToolDefinition> exposed, Map<String, ToolReference> owners) {

        static Lists of(Routes routes, Map<String, List<ToolDefinition>> answers) {
            var definitions = new LinkedHashMap<String, ToolDefinition>();
            var owners = new HashMap<String, ToolReference>();
            var clashes = new ArrayList<String>();
            for (var route : routes.all()) {
                for (var tool : answers.getOrDefault(route.server(), List.of())) {
                    routes.names().expose(route.server(), tool.name()).ifPresent(name -> {
                        if (owners.putIfAbsent(name, new ToolReference(route.server(), tool.name())) != null) {
                            clashes.add(name);
                        }
                        definitions.put(name, tool.withName(name));
                    });
                }
            }
            clashes.forEach(definitions::remove);
            clashes.forEach(owners::remove);
            return new Lists(List.copyOf(definitions.values()), Map.copyOf(owners));
        }

        Optional<ToolReference> owner(String exposed) {
            return Optional.ofNullable(owners.get(exposed));
        }
    }
}
