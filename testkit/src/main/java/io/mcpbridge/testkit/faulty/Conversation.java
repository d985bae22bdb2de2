package io.mcpbridge.testkit.faulty;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.faulty.Fault.Kind;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers messages and does wrong where the script says so, on all connections of one server. Any thread. */
final class Conversation {
    private static final String NOISE = "{\"level\":\"info\",\"data\":\"%s\"}".formatted("x".repeat(100));
    private static final int LONG = 20_000_000;
    private static final Set<Kind> ENDING =
            EnumSet.of(Kind.EXIT, Kind.HANG, Kind.CUT, Kind.STATUS, Kind.REDIRECT, Kind.SILENCE);

    private final FaultScript script;
    private final FaultyTools tools;
    private final Host host;
    private final Map<Point, AtomicInteger> times = new ConcurrentHashMap<>();

    Conversation(FaultScript script, FaultyTools tools, Host host) {
        this.script = script;
        this.tools = tools;
        this.host = host;
    }

    /** The server starts, for the how manieth time. */
    void start(int time, Way nobody) throws IOException, InterruptedException {
        for (var fault : script.at(Point.START, time)) {
            if (fault.kind() == Kind.TOOL) {
                tools.add(fault.argument());
            } else {
                apply(List.of(fault), nobody);
            }
        }
    }

    /** The other side has left. */
    void left(Way nobody) throws IOException, InterruptedException {
        if (host.isHanging()) {
            host.hang();
        }
        apply(at(Point.ON_STDIN_EOF), nobody);
    }

    /** Whether a message takes long enough to be worth a thread of its own. */
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
        if (host.isHanging()) {
            host.hang();
        }
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

    /** Does what does not spoil the answer; false if there will be none. */
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
                        MessageId.of("nobody-asked"), answer.raw(Part.RESULT).orElse("{}"));
            } else if (fault.kind() == Kind.WRONG_VERSION) {
                spoilt = tools.result(
                        request, "\"protocolVersion\":\"1999-01-01\",\"supportedVersions\":[\"2999-01-01\"]");
            } else if (fault.kind() == Kind.HUGE) {
                var text = JsonText.quote("x".repeat(fault.number(LONG)));
                spoilt = tools.result(request, "\"content\":[{\"type\":\"text\",\"text\":" + text + "}]");
            }
        }
        return spoilt;
    }

    /** Writes the answer as the faults want it; false if it was left unfinished. */
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
}
