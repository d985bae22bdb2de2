package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.faulty.Fault.Kind;
import io.mcpbridge.testkit.faulty.FaultScript.Point;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Answers the messages of all connections of one faulty server, and applies the faults of its script. Any thread may
 * use it.
 */
final class FaultyServerHandler {
    private static final String NOISE = "{\"level\":\"info\",\"data\":\"%s\"}".formatted("x".repeat(100));
    private static final int LONG = 20_000_000;
    private static final Set<Kind> ENDING =
            EnumSet.of(Kind.EXIT, Kind.HANG, Kind.CUT, Kind.STATUS, Kind.REDIRECT, Kind.SILENCE);

    private final FaultScript script;
    private final NormalResponder tools;
    private final Host host;
    private final Map<Point, AtomicInteger> times = new ConcurrentHashMap<>();

    FaultyServerHandler(FaultScript script, Era era, ExecutionCounter ledger, Host host) {
        this.script = script;
        this.tools = new NormalResponder(era, ledger, host);
        this.host = host;
    }

    /**
     * Applies the faults of the start.
     *
     * @param time how often the server has been started, this time included
     * @param none discards its output, since there is no connection yet
     */
    void start(int time, Way none) throws IOException, InterruptedException {
        for (var fault : script.at(Point.START, time)) {
            if (fault.kind() == Kind.TOOL) {
                tools.add(fault.argument());
            } else {
                apply(List.of(fault), none);
            }
        }
    }

    /** The peer has disconnected. */
    void left(Way none) throws IOException, InterruptedException {
        host.awaitEndIfHanging();
        apply(at(Point.ON_STDIN_EOF), none);
    }

    /** Whether the message may take long and is handled on a thread of its own. */
    static boolean isLong(Message message) {
        return message instanceof Request request && request.method().equals(Methods.TOOLS_CALL);
    }

    boolean isOpening(Request request) {
        return tools.isOpening(request);
    }

    Era era() {
        return tools.era();
    }

    void received(Message message, Way way) throws IOException, InterruptedException {
        host.awaitEndIfHanging();
        if (message instanceof Request request) {
            request(request, way);
        } else if (message instanceof Notification note && note.method().equals(Methods.CANCELLED)) {
            apply(at(Point.ON_CANCEL), way);
        }
    }

    private void request(Request request, Way way) throws IOException, InterruptedException {
        var isCall = request.method().equals(Methods.TOOLS_CALL);
        var isOpening = tools.isOpening(request);
        var faults = isCall
                ? at(Point.ON_REQUEST)
                : isOpening
                        ? at(Point.BEFORE_INITIALIZE)
                        : request.method().equals(Methods.TOOLS_LIST) ? at(Point.ON_LIST) : List.<Fault>of();
        if (!apply(faults, way)) {
            return;
        }
        var answer = spoilt(request, tools.answer(request), faults);
        if (!write(answer, faults, isCall ? at(Point.MID_ANSWER) : List.of(), way)) {
            return;
        }
        apply(isCall ? at(Point.AFTER_ANSWER) : isOpening ? at(Point.AFTER_INITIALIZE) : List.of(), way);
    }

    private List<Fault> at(Point point) {
        return script.at(
                point, times.computeIfAbsent(point, none -> new AtomicInteger()).incrementAndGet());
    }

    /** Applies the faults that do not change the answer; false if there will be no answer. */
    private boolean apply(List<Fault> faults, Way way) throws IOException, InterruptedException {
        for (var fault : faults) {
            switch (fault.kind()) {
                case EXIT -> host.exit(fault.number(1));
                case HANG -> host.hang();
                case CUT -> way.cut();
                case FLOOD -> flood(fault.number(1_000), way);
                case GARBAGE -> way.garbage();
                case GRANDCHILD -> grandchild(fault.number(60));
                case TOOL -> add(fault.argument(), way);
                case ERA -> tools.speak(Era.valueOf(fault.argument().toUpperCase(Locale.ROOT)));
                case IGNORE_TERM -> host.ignoreTermination();
                case STATUS -> refuse(fault.argument(), way);
                case REDIRECT -> way.refuse(307, "Location: " + fault.argument() + "\r\n");
                default -> {}
            }
            if (ENDING.contains(fault.kind())) {
                return false;
            }
        }
        return true;
    }

    private static void flood(int count, Way way) throws IOException {
        way.expectSeveral();
        for (int i = 0; i < count; i++) {
            way.send(Notification.of(Methods.LOG_MESSAGE, NOISE).json());
        }
    }

    private void add(String tool, Way way) throws IOException {
        tools.add(tool);
        if (tools.era() == Era.LEGACY) {
            way.expectSeveral();
            way.send(Notification.of(Methods.TOOLS_LIST_CHANGED).json());
        }
    }

    private static void grandchild(int seconds) throws IOException {
        new ProcessBuilder("sleep", Integer.toString(seconds)).inheritIO().start();
    }

    private static void refuse(String argument, Way way) throws IOException {
        var parts = argument.split(":", 2);
        way.refuse(Integer.parseInt(parts[0]), parts.length == 1 ? "" : "Retry-After: " + parts[1] + "\r\n");
    }

    private Response spoilt(Request request, Response answer, List<Fault> faults) {
        var spoilt = answer;
        for (var fault : faults) {
            if (fault.kind() == Kind.WRONG_ID) {
                spoilt = Response.result(
                        MessageId.of("unrequested"),
                        answer.raw(MessageField.RESULT).orElse("{}"));
            } else if (fault.kind() == Kind.WRONG_VERSION) {
                spoilt = tools.result(
                        request, "\"protocolVersion\":\"1999-01-01\",\"supportedVersions\":[\"2999-01-01\"]");
            } else if (fault.kind() == Kind.HUGE) {
                var text = JsonStrings.quote("x".repeat(fault.number(LONG)));
                spoilt = tools.result(request, "\"content\":[{\"type\":\"text\",\"text\":" + text + "}]");
            }
        }
        return spoilt;
    }

    /** Writes the answer, changed by the faults; false if it is left incomplete. */
    private boolean write(Response answer, List<Fault> faults, List<Fault> midway, Way way)
            throws IOException, InterruptedException {
        var json = answer.json();
        var kinds = faults.stream().map(Fault::kind).toList();
        if (kinds.contains(Kind.DRIBBLE)) {
            way.dribble(json, faults.get(kinds.indexOf(Kind.DRIBBLE)).pause());
            return true;
        }
        if (kinds.contains(Kind.HALF)) {
            way.begin(json);
            return false;
        }
        if (kinds.contains(Kind.DOUBLE)) {
            way.expectSeveral();
            way.send(json);
        }
        if (midway.isEmpty()) {
            way.send(json);
            return true;
        }
        way.begin(json);
        if (!apply(midway, way)) {
            return false;
        }
        way.finish(json);
        return true;
    }

    /**
     * Writes to the sender of a message, one message per line. Locked for each piece; one answer is written at a time.
     */
    static class Way {
        private final ReentrantLock writing = new ReentrantLock();
        private final OutputStream out;
        private final Runnable cut;
        private volatile boolean isWritten;

        Way(OutputStream out, Runnable cut) {
            this.out = out;
            this.cut = cut;
        }

        /** Whether anything was written. */
        final boolean isWritten() {
            return isWritten;
        }

        /** Writes a whole message. */
        final void send(String json) throws IOException {
            write(head(json) + framed(json));
        }

        /** Writes the first half of a message. */
        final void begin(String json) throws IOException {
            write(head(json) + framed(json).substring(0, json.length() / 2));
        }

        /** Writes the other half. */
        final void finish(String json) throws IOException {
            write(framed(json).substring(json.length() / 2));
        }

        /** Writes a message byte by byte. */
        final void dribble(String json, Duration pause) throws IOException, InterruptedException {
            write(head(json));
            for (byte next : framed(json).getBytes(UTF_8)) {
                write(new byte[] {next});
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        }

        /** Writes bytes that are not a message. */
        final void garbage() throws IOException {
            expectSeveral();
            write(framed("this is no message {]"));
        }

        /** Closes the connection. */
        final void cut() {
            cut.run();
        }

        /** Called before several messages are written. */
        void expectSeveral() throws IOException {}

        /** Responds with an HTTP status and headers, each header with its line end. Only HTTP supports it. */
        void refuse(int status, String headers) throws IOException {
            throw new IllegalStateException("a byte stream has no status " + status);
        }

        /** The text before a message. */
        String head(String json) {
            return "";
        }

        /** A message with its framing. */
        String framed(String json) {
            return json + "\n";
        }

        final void write(String text) throws IOException {
            write(text.getBytes(UTF_8));
        }

        private void write(byte[] bytes) throws IOException {
            isWritten = true;
            writing.lock();
            try {
                out.write(bytes);
                out.flush();
            } finally {
                writing.unlock();
            }
        }
    }

    /** The lifecycle of a server, in a process of its own or in this one. Any thread may use it. */
    static final class Host {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final IntConsumer ending;
        private final Consumer<Thread> shutdownHooks;
        private volatile boolean isHanging;

        /**
         * @param ending ends the server with an exit code
         * @param shutdownHooks registers a hook that delays the end of the process after a signal
         */
        Host(IntConsumer ending, Consumer<Thread> shutdownHooks) {
            this.ending = ending;
            this.shutdownHooks = shutdownHooks;
        }

        /** Ends the server at once. */
        void exit(int code) {
            ended.countDown();
            ending.accept(code);
        }

        /** Makes the server read and write nothing from now on; returns when the server has ended. */
        void hang() throws InterruptedException {
            isHanging = true;
            ended.await();
        }

        /** If the server hangs, waits until it has ended. */
        void awaitEndIfHanging() throws InterruptedException {
            if (isHanging) {
                ended.await();
            }
        }

        /** Waits until the server has ended. */
        void awaitEnd() {
            try {
                ended.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ignores termination signals from now on: the JVM ends only after its shutdown hooks. */
        void ignoreTermination() {
            shutdownHooks.accept(new Thread(this::awaitEnd, "faulty-stay"));
        }
    }
}
