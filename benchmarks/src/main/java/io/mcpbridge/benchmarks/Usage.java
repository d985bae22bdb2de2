package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * CPU time that processes have used, from {@code /proc}.
 *
 * @param alone of a process and the processes it started, except MCP servers, in microseconds
 * @param withServer of all of these, in microseconds
 */
record Usage(double alone, double withServer) {
    private static final int MICROS_PER_TICK = 10_000;
    private static final String SERVER = "server-everything";
    private static final Pattern NODE = Pattern.compile("([^\\x00]*/)?node\\x00");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static final Usage NONE = new Usage(Double.NaN, Double.NaN);

    static Usage of(ProcessHandle process) {
        long alone = 0;
        long withServer = 0;
        for (var each : Stream.concat(Stream.of(process), process.descendants()).toList()) {
            var micros = micros(each.pid());
            withServer += micros;
            alone += isServer(each, process) ? 0 : micros;
        }
        return new Usage(alone, withServer);
    }

    Usage since(Usage before) {
        return new Usage(alone - before.alone, withServer - before.withServer);
    }

    Usage dividedBy(long calls) {
        return new Usage(alone / calls, withServer / calls);
    }

    /** The bytes that each living thread of this process has allocated, by its id. */
    static Map<Long, Long> allocated() {
        var ids = THREADS.getAllThreadIds();
        var bytes = THREADS.getThreadAllocatedBytes(ids);
        return IntStream.range(0, ids.length).boxed().collect(Collectors.toMap(i -> ids[i], i -> bytes[i]));
    }

    /** The bytes that the threads which still live have allocated since then. */
    static long allocatedSince(Map<Long, Long> before) {
        return allocated().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** Resident memory of a process itself, in MB. */
    static double megabytes(ProcessHandle process) {
        return kilobytes(process.pid(), "VmRSS:") / 1024.0;
    }

    /** The most memory that a process itself has had since {@link #forgetPeak}, in MB. */
    static double peakMegabytes(ProcessHandle process) {
        return kilobytes(process.pid(), "VmHWM:") / 1024.0;
    }

    static void forgetPeak(ProcessHandle process) throws IOException {
        Files.writeString(Path.of("/proc", Long.toString(process.pid()), "clear_refs"), "5");
    }

    /** The number of MCP servers that a process has started. */
    static long servers(ProcessHandle process) {
        return process.descendants().filter(each -> isServer(each, process)).count();
    }

    /** Whether it is the server itself: launchers that gateways put before it are theirs. */
    private static boolean isServer(ProcessHandle process, ProcessHandle gateway) {
        return process.pid() != gateway.pid()
                && read(process.pid(), "cmdline").stream()
                        .anyMatch(line -> NODE.matcher(line).lookingAt() && line.contains(SERVER));
    }

    private static long micros(long pid) {
        var stat = String.join("", read(pid, "stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length < 13 ? 0 : (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
    }

    private static long kilobytes(long pid, String key) {
        return read(pid, "status").stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    /** The lines of a file, or none if the process has ended. */
    private static List<String> read(long pid, String file) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), file), ISO_8859_1);
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }
}
