package io.mcpbridge.engine.upstream.isolated;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.IsolationSettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.connection.StartBackoff;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.Kind;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.ResumeKey;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.Waiter;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pool of processes of one server that run one call each. Any thread may use it; only {@link #close} waits.
 *
 * <p>The pool starts some processes of each kind ahead. A call gets an idle process at once, else it waits for one; no
 * process gets a second call. After a start of a kind has failed, the next one is delayed, longer each time, and the
 * pool rejects calls that no process can take. Where all places are in use, processes without a call are ended for
 * calls that wait.
 *
 * <p>The lock guards all state. What follows from a change, such as starting a process or completing a call, runs
 * without the lock.
 */
final class SingleUseProcessPool implements SingleUseProcess.Listener {
    /** How long other starts wait after a call began in an idle process, so that they do not slow it down. */
    private static final Duration START_DELAY = Duration.ofMillis(10);

    /** How many processes are closed at the same time while the pool is open, since all servers share the threads. */
    private static final int MAX_CLOSING = 4;

    /** After how long {@link #close} kills the processes that are left. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** How long {@link #close} waits for the killed processes. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private static final Set<State> BUSY = Set.of(State.BUSY);
    private static final Comparator<Group> LAST_USED = Comparator.comparingLong(group -> group.lastUsed);

    private final ServerSettings server;
    private final IsolationSettings settings;
    private final Environment environment;
    private final Timekeeper timekeeper;
    private final SingleUseProcess.Factory factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // The lock guards all that follows. @GuardedBy cannot express it, as the changes are lambdas of update.
    private final Map<Kind, Group> groups = new LinkedHashMap<>();

    /** Each from its start until it is gone; the one whose state changed last is the last. */
    private final Map<SingleUseProcess, Entry> processes = new LinkedHashMap<>();

    /** The calls that wait, in the order in which they came, with the group that each gets its process from. */
    private final Map<Waiter, Group> waiters = new LinkedHashMap<>();

    /** The actions that run after the current change, without the lock. */
    private List<Runnable> following = new ArrayList<>();

    private long started;
    private String lastError = "";
    private Instant lastErrorAt = Instant.EPOCH;
    private @Nullable Failure closed;

    /** Why the last start failed; empty if it did not. */
    private String startError = "";

    /** The state of a process; those from {@link #ENDING} on are never used again. */
    private enum State {
        STARTING,
        /** Waits for a call. */
        IDLE,
        /** Has a call. */
        BUSY,
        /** Waits for the next round of its call. */
        RESERVED,
        /** Waits for a thread that closes it. */
        ENDING,
        CLOSING,
        /** Is being killed, or its start has failed. */
        KILLED;

        private boolean isEnd() {
            return compareTo(ENDING) >= 0;
        }
    }

    /** Makes a pool without processes. */
    SingleUseProcessPool(ServerSettings server, Environment environment, SingleUseProcess.Factory factory) {
        this.server = server;
        this.settings = server.isolation();
        this.environment = environment;
        this.timekeeper = environment.timekeeper();
        this.factory = factory;
    }

    /** Starts processes for calls of this kind that may come. */
    void warmUp(Kind kind, Caller caller) {
        update(() -> {
            if (closed == null) {
                use(kind, caller);
                refill();
            }
        });
    }

    /** Gives a call the process of its last round, an idle one, or the next one that is ready. */
    void acquire(Waiter waiter) {
        update(() -> {
            if (closed != null) {
                reject(waiter, closed);
                return;
            }
            var group = use(waiter.kind(), waiter.caller());
            var found = waiter.resumeKey().flatMap(this::reserved).or(() -> idle(group));
            if (found.isPresent()) {
                assign(found.get(), waiter);
                later(START_DELAY, this::refill);
                return;
            }
            if (isExhausted(group)) {
                reject(waiter, group.backoff.rejection(server.name()));
            } else {
                waiters.put(waiter, group);
            }
            refill();
        });
    }

    /** Removes a call that no longer waits. */
    void leave(Waiter waiter) {
        update(() -> waiters.remove(waiter));
    }

    /** The process has answered its call, and ends. */
    void release(SingleUseProcess process) {
        update(process, BUSY, entry -> {
            entry.group.backoff.succeeded();
            end(entry);
        });
    }

    /** The process ends without the call that it was given. This says nothing of how the next one starts. */
    void discard(SingleUseProcess process) {
        update(process, BUSY, this::end);
    }

    /** The process has answered a round of its call, and waits for the next one as long as {@code span}. */
    void reserve(SingleUseProcess process, ResumeKey next, Duration span) {
        update(process, BUSY, entry -> {
            entry.group.backoff.succeeded();
            if (process.failure().isPresent()) {
                end(entry);
                return;
            }
            ofState(State.RESERVED).filter(each -> next.equals(each.next)).forEach(this::end);
            entry.next = next;
            become(entry, State.RESERVED);
            refill();
            later(span, () -> {
                if (entry.state == State.RESERVED && next.equals(entry.next)) {
                    end(entry);
                }
            });
        });
    }

    /** The call has ended without an answer, so the process may still run it and is killed. */
    void kill(SingleUseProcess process) {
        update(process, BUSY, entry -> {
            become(entry, State.KILLED);
            finishLater(process, process::kill);
        });
    }

    @Override
    public void ready(SingleUseProcess process) {
        update(process, Set.of(State.STARTING), entry -> {
            var end = process.failure();
            if (end.isPresent()) {
                remove(entry);
                startFailed(entry.group, end.get());
            } else if (closed != null) {
                following.add(process::hangUp);
                end(entry);
            } else {
                startError = "";
                place(entry);
                refill();
            }
        });
    }

    @Override
    public void failed(SingleUseProcess process, Failure why) {
        update(process, Set.of(State.STARTING), entry -> {
            become(entry, State.KILLED);
            startFailed(entry.group, why);
        });
    }

    @Override
    public void gone(SingleUseProcess process) {
        update(() -> {
            processes.remove(process);
            closeNext();
            refill();
        });
    }

    /** A call that the process has fails by itself, and the process is killed then. */
    @Override
    public void ended(SingleUseProcess process, Failure why, boolean wasUseful) {
        update(process, Set.of(State.IDLE, State.RESERVED), entry -> {
            remove(entry);
            noteError(why);
            if (!wasUseful) {
                delayStarts(entry.group, why);
            }
            refill();
        });
    }

    /** Nothing of the process is left, so an alarm for it has no effect. */
    private void remove(Entry entry) {
        entry.state = State.KILLED;
        processes.remove(entry.process);
    }

    ProcessPoolStatus status() {
        lock.lock();
        try {
            var idle = count(State.IDLE);
            var starting = count(State.STARTING);
            var busy = count(State.BUSY) + count(State.RESERVED);
            var unready = startError;
            if (unready.isEmpty() && starting > 0 && starting == processes.size()) {
                unready = "%d are still being started".formatted(starting);
            }
            return new ProcessPoolStatus(
                    idle,
                    busy,
                    processes.size(),
                    settings.max(),
                    waiters.size(),
                    started,
                    lastError,
                    lastErrorAt,
                    idle + busy > 0 ? "" : unready,
                    groups.values().stream()
                            .anyMatch(group -> isExhausted(group) && idle(group).isEmpty()));
        } finally {
            lock.unlock();
        }
    }

    /** Rejects the calls that wait, and ends all processes; kills those that take too long, and waits for the end. */
    void close(Failure why) {
        update(() -> {
            closed = why;
            waiters.keySet().forEach(waiter -> reject(waiter, why));
            waiters.clear();
            // All are asked to end before the pool waits for one.
            processes.keySet().forEach(process -> following.add(process::hangUp));
            for (var entry : List.copyOf(processes.values())) {
                if (entry.state == State.STARTING) {
                    onWorker(entry.process::close);
                } else if (!entry.state.isEnd()) {
                    become(entry, State.ENDING);
                }
            }
            closeNext();
        });
        if (!awaitEnd(CLOSE_TIMEOUT)) {
            update(() -> processes.keySet().forEach(process -> onWorker(process::kill)));
            var unused = awaitEnd(KILL_TIMEOUT);
        }
    }

    /** Waits until no process is left; false if there is one after the time-out. */
    private boolean awaitEnd(Duration timeout) {
        var nanos = timeout.toNanos();
        lock.lock();
        try {
            while (!processes.isEmpty() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return processes.isEmpty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Changes the state under the lock, then runs what follows. No change makes another one within itself. */
    private void update(Runnable change) {
        var ours = new ArrayList<Runnable>(2);
        lock.lock();
        try {
            following = ours;
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        ours.forEach(this::run);
    }

    /** Changes a process, unless it is gone or in another state by now. */
    private void update(SingleUseProcess process, Set<State> states, Consumer<Entry> change) {
        update(() -> Optional.ofNullable(processes.get(process))
                .filter(entry -> states.contains(entry.state))
                .ifPresent(change));
    }

    /** A call may end in a plug-in that throws, which must not affect other calls. */
    private void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException defect) {
            environment.logger().log(Level.ERROR, "[mcp-bridge] a call or a process of a pool failed", defect);
        }
    }

    /** Makes another change later, unless the pool is closed then. */
    private void later(Duration delay, Runnable change) {
        Runnable unlessClosed = () -> {
            if (closed == null) {
                change.run();
            }
        };
        following.add(() -> {
            var unused = timekeeper.schedule(delay, () -> update(unlessClosed));
        });
    }

    private void onWorker(Runnable action) {
        following.add(() -> UpstreamParts.later(environment, action));
    }

    /** The group of this kind, which counts as used now. */
    private Group use(Kind kind, Caller caller) {
        var group = groups.get(kind);
        if (group == null) {
            group = new Group(kind, caller, new StartBackoff(timekeeper, environment.random(), Duration.ZERO));
            groups.put(kind, group);
            expireLater(group, settings.idle());
        }
        group.lastUsed = timekeeper.nanoTime();
        return group;
    }

    private void expireLater(Group group, Duration delay) {
        later(delay, () -> {
            var isInUse = waiters.containsValue(group)
                    || processes.values().stream()
                            .anyMatch(
                                    entry -> entry.group == group && entry.state != State.IDLE && !entry.state.isEnd());
            var rest = settings.idle().minusNanos(timekeeper.nanoTime() - group.lastUsed);
            if (isInUse || rest.compareTo(Duration.ZERO) > 0) {
                expireLater(group, isInUse ? settings.idle() : rest);
                return;
            }
            groups.remove(group.kind);
            ofState(State.IDLE).filter(entry -> entry.group == group).forEach(this::end);
        });
    }

    /**
     * Starts the processes that are missing, those for calls that wait first, and evicts others where there is no
     * place.
     */
    private void refill() {
        if (closed != null) {
            return;
        }
        var lacking = startForWaiters();
        var ending =
                processes.values().stream().filter(entry -> entry.state.isEnd()).count();
        for (var i = ending; i < lacking; i++) {
            if (!evict()) {
                return;
            }
        }
        if (lacking == 0) {
            groups.values().stream().sorted(LAST_USED.reversed()).forEach(this::startAhead);
        }
    }

    /** Returns how many calls there is no place for. */
    private int startForWaiters() {
        var starting = new HashMap<Group, Integer>();
        ofState(State.STARTING).forEach(entry -> starting.merge(entry.group, 1, Integer::sum));
        var lacking = 0;
        for (var group : waiters.values()) {
            if (starting.merge(group, -1, Integer::sum) >= 0) {
                continue;
            }
            if (isFull()) {
                lacking++;
            } else if (!group.backoff.rejects()) {
                start(group);
            }
        }
        return lacking;
    }

    private void startAhead(Group group) {
        if (isFull() || group.backoff.rejects()) {
            return;
        }
        var unassigned = Math.max(0, count(group, State.STARTING) - waiting(group));
        for (var there = count(group, State.IDLE) + unassigned; there < settings.warm() && !isFull(); there++) {
            start(group);
        }
    }

    private void start(Group group) {
        var process = factory.create(group.kind, group.caller, this);
        processes.put(process, new Entry(process, group));
        started++;
        following.add(process::start);
    }

    /** Ends a process without a call: an idle one of the group that was used least recently, else a reserved one. */
    private boolean evict() {
        var idle = groups.values().stream().sorted(LAST_USED).flatMap(group -> idle(group).stream());
        var evicted = Stream.concat(idle, ofState(State.RESERVED)).findFirst();
        evicted.ifPresent(this::end);
        return evicted.isPresent();
    }

    /** Gives a process to the call of its group that has waited the longest, keeps it idle or ends it. */
    private void place(Entry entry) {
        if (entry.process.failure().isPresent()) {
            end(entry);
            return;
        }
        var waiter = poll(entry.group);
        if (waiter.isPresent()) {
            assign(entry, waiter.get());
        } else if (count(entry.group, State.IDLE) < settings.warm()) {
            become(entry, State.IDLE);
        } else {
            end(entry);
        }
    }

    /** Removes the call that has waited the longest for a process of this group. */
    private Optional<Waiter> poll(Group group) {
        var first = waiters.keySet().stream()
                .filter(waiter -> waiters.get(waiter) == group)
                .findFirst();
        first.ifPresent(waiters::remove);
        return first;
    }

    private void assign(Entry entry, Waiter waiter) {
        become(entry, State.BUSY);
        following.add(() -> begin(entry, waiter));
    }

    private void begin(Entry entry, Waiter waiter) {
        try {
            if (!waiter.accept(entry.process)) {
                update(entry.process, BUSY, this::place);
            }
        } catch (RuntimeException defect) {
            kill(entry.process);
            throw defect;
        }
    }

    private void reject(Waiter waiter, Failure why) {
        following.add(() -> waiter.reject(why));
    }

    /** Where other processes of the group may come, one call has lost its own; otherwise none has a chance. */
    private void startFailed(Group group, Failure why) {
        startError = why.message();
        noteError(why);
        delayStarts(group, why);
        var starting = count(group, State.STARTING);
        var isLast = starting == 0 && count(group, State.BUSY) == 0;
        var rejected = Math.min(waiting(group) - starting, isLast ? Integer.MAX_VALUE : 1);
        for (int i = 0; i < rejected; i++) {
            poll(group).ifPresent(waiter -> reject(waiter, why));
        }
        refill();
    }

    /** A process was of no use; the next one is started after a pause. */
    private void delayStarts(Group group, Failure why) {
        group.backoff.failed(why);
        later(group.backoff.pause(), this::refill);
    }

    private void noteError(Failure why) {
        lastError = why.message();
        lastErrorAt = timekeeper.now();
    }

    /** Closes a process when there is a thread for it. */
    private void end(Entry entry) {
        become(entry, State.ENDING);
        closeNext();
    }

    private void closeNext() {
        var closing = count(State.CLOSING);
        for (var entry : ofState(State.ENDING).toList()) {
            if (closed == null && closing++ >= MAX_CLOSING) {
                return;
            }
            become(entry, State.CLOSING);
            finishLater(entry.process, entry.process::close);
        }
    }

    private void finishLater(SingleUseProcess process, Runnable end) {
        onWorker(() -> {
            try {
                end.run();
            } finally {
                gone(process);
            }
        });
    }

    private void become(Entry entry, State state) {
        entry.state = state;
        processes.remove(entry.process);
        processes.put(entry.process, entry);
    }

    /** The process that has been idle the longest; not one that has ended, which the listener is yet to learn. */
    private Optional<Entry> idle(Group group) {
        return ofState(State.IDLE)
                .filter(entry -> entry.group == group && entry.process.failure().isEmpty())
                .findFirst();
    }

    private Optional<Entry> reserved(ResumeKey key) {
        return ofState(State.RESERVED)
                .filter(entry ->
                        key.equals(entry.next) && entry.process.failure().isEmpty())
                .findFirst();
    }

    /** Copied, so that the states may change meanwhile. */
    private Stream<Entry> ofState(State state) {
        return List.copyOf(processes.values()).stream().filter(entry -> entry.state == state);
    }

    private int count(State state) {
        return (int) ofState(state).count();
    }

    private int count(Group group, State state) {
        return (int) ofState(state).filter(entry -> entry.group == group).count();
    }

    private int waiting(Group group) {
        return Collections.frequency(waiters.values(), group);
    }

    private boolean isFull() {
        return processes.size() >= settings.max();
    }

    /** Whether no process can come for another call. */
    private boolean isExhausted(Group group) {
        return group.backoff.rejects()
                && count(group, State.BUSY) == 0
                && count(group, State.STARTING) <= waiting(group);
    }

    /** The processes of one kind, for one of whose callers they are connected. The lock of the pool guards it. */
    private static final class Group {
        private final Kind kind;
        private final Caller caller;
        private final StartBackoff backoff;
        private long lastUsed;

        private Group(Kind kind, Caller caller, StartBackoff backoff) {
            this.kind = kind;
            this.caller = caller;
            this.backoff = backoff;
        }
    }

    /** A process of the pool with its state, which the lock of the pool guards. */
    private static final class Entry {
        private final SingleUseProcess process;
        private final Group group;
        private State state = State.STARTING;
        private @Nullable ResumeKey next;

        private Entry(SingleUseProcess process, Group group) {
            this.process = process;
            this.group = group;
        }
    }
}
