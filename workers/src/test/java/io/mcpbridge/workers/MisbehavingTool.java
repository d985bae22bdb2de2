package io.mcpbridge.workers;

import io.mcpbridge.testkit.Eventually;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A tool that does what its argument {@code do} says, which is mostly something that no tool should do. */
public final class MisbehavingTool implements SandboxedTool {
    private int calls;

    /** A result that is a record. */
    public record Place(String name, int height) {}

    @Override
    public @Nullable Object run(SandboxedCall call) throws Exception {
        calls++;
        return switch (text(call, "do")) {
            case "echo" -> call.arguments().get("value");
            case "call" ->
                Map.of(
                        "tool",
                        call.tool(),
                        "id",
                        call.correlationId(),
                        "millis",
                        call.remaining().toMillis());
            case "values" -> values();
            case "count" -> calls;
            case "pid" -> ProcessHandle.current().pid();
            case "option" -> System.getProperty(text(call, "value"));
            case "variables" -> List.copyOf(System.getenv().keySet());
            case "loop" -> loop();
            case "maps" -> Files.readString(Path.of("/proc/self/maps")).contains(text(call, "value"));
            case "interfaces" ->
                NetworkInterface.networkInterfaces()
                        .map(NetworkInterface::getName)
                        .collect(Collectors.joining(" "));
            case "exists" -> Files.exists(Path.of(text(call, "value")));
            case "status" -> Files.readString(Path.of("/proc/self/limits"));
            case "throw" -> throw new IllegalStateException("the disk is full");
            case "overflow" -> overflow(0);
            case "exit" -> end(() -> System.exit(7));
            case "halt" -> end(() -> Runtime.getRuntime().halt(7));
            case "last-words" -> {
                System.err.println("first line");
                System.err.println("the password is " + System.getenv("PASSWORD"));
                Runtime.getRuntime().halt(9);
                yield null;
            }
            case "say" -> {
                System.err.println(text(call, "value"));
                yield "said";
            }
            case "heap" -> heap();
            case "direct" -> direct();
            case "print" -> print();
            case "read" -> System.in.read();
            case "garbage" -> garbage("no message at all, whatever it looks like");
            case "soft-garbage" -> garbage("\0\0");
            case "close" -> close();
            case "close-in" -> {
                new FileInputStream(FileDescriptor.in).close();
                yield ProcessHandle.current().pid();
            }
            case "close-err" -> {
                new FileOutputStream(FileDescriptor.err).close();
                yield ProcessHandle.current().pid();
            }
            case "replace-out" -> replaceOut();
            case "flood" -> flood();
            case "large" -> "x".repeat(Integer.parseInt(text(call, "value")));
            case "nested" -> nested();
            case "unfit" -> new Object();
            case "thread" -> thread();
            case "child" -> child();
            case "child-and-loop" -> {
                child();
                yield loop();
            }
            case "daemon" -> {
                daemon("setsid", ">/dev/null", text(call, "value"));
                yield "started";
            }
            case "stranger" -> {
                daemon("setsid env -i PATH=/usr/bin:/bin", ">/dev/null", text(call, "value"));
                // Until then it is sh, setsid or env, which have the variables of the worker.
                Eventually.holds("the process", () -> isAsleep(text(call, "value")));
                yield "started";
            }
            case "hold-output-and-loop" -> {
                daemon("setsid", "5>&1 >/dev/null", text(call, "value"));
                yield loop();
            }
            case "hold" -> {
                // Until the garbage collector gives it back, which it does not for what is held.
                held.add(new byte[48 << 20]);
                Arrays.fill(held.get(0), (byte) 1);
                yield held.size();
            }
            default -> throw new IllegalArgumentException("cannot do " + call.arguments());
        };
    }

    private final List<byte[]> held = new ArrayList<>();

    private static String text(SandboxedCall call, String name) {
        return String.valueOf(call.arguments().get(name));
    }

    private static Map<String, @Nullable Object> values() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("nothing", null);
        values.put("flags", List.of(true, false));
        values.put("number", new BigDecimal("12345678901234567890.5"));
        values.put("double", 0.5);
        values.put("record", new Place("Zugspitze", 2962));
        values.put("text", "größer \uD83D\uDE00");
        return values;
    }

    private static Object loop() {
        for (long i = 0; ; i++) {
            if (i == -1) {
                return i;
            }
        }
    }

    private static int overflow(int depth) {
        return depth == Integer.MAX_VALUE ? depth : overflow(depth + 1) + 1;
    }

    private static @Nullable Object end(Runnable ending) {
        ending.run();
        return null;
    }

    private static Object heap() {
        var all = new ArrayList<byte[]>();
        try {
            while (all.size() < Integer.MAX_VALUE) {
                all.add(new byte[1 << 20]);
            }
            return all.size();
        } catch (OutOfMemoryError caught) {
            return "survived";
        }
    }

    private static Object direct() {
        var all = new ArrayList<ByteBuffer>();
        while (all.size() < Integer.MAX_VALUE) {
            all.add(ByteBuffer.allocateDirect(1 << 20));
        }
        return all.size();
    }

    private static Object print() {
        System.out.println("printed");
        return "done";
    }

    private static Object garbage(String text) throws IOException {
        // Not closed, since that would close standard output.
        new FileOutputStream(FileDescriptor.out).write(text.getBytes(StandardCharsets.UTF_8));
        return "written";
    }

    private static Object close() throws Exception {
        new FileOutputStream(FileDescriptor.out).close();
        return "closed";
    }

    private static Object flood() {
        var line = "y".repeat(1 << 16);
        for (int i = 0; i < 160; i++) {
            System.err.println(line);
        }
        return "flooded";
    }

    private static Object nested() {
        Map<String, Object> deepest = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            deepest = Map.of("in", deepest);
        }
        return deepest;
    }

    private static Object replaceOut() {
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        return ProcessHandle.current().pid();
    }

    private static Object thread() {
        var left = new Thread(
                () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "left");
        left.setDaemon(true);
        left.start();
        return ProcessHandle.current().pid();
    }

    /** The processes that {@code daemon} has left. */
    static List<ProcessHandle> sleepers(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(each ->
                        List.of(each.info().arguments().orElse(new String[0])).contains(seconds))
                .toList();
    }

    private static boolean isAsleep(String seconds) {
        return sleepers(seconds).stream()
                .anyMatch(each -> each.info().arguments().orElse(new String[0]).length == 1);
    }

    /** A process that has lost its parent, in a session of its own. */
    private static void daemon(String by, String streams, String seconds) throws Exception {
        new ProcessBuilder("sh", "-c", "%s sleep %s %s 2>/dev/null </dev/null &".formatted(by, seconds, streams))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }

    private static Object child() {
        try {
            return new ProcessBuilder("sleep", "600").start().pid();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
