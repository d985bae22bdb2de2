package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Measures results of 300 bytes to 16 MiB, directly and through the gateway, over Unix sockets by one caller. */
final class Sizes {
    private static final Duration WARM_UP = Plan.seconds(3, 1);
    private static final Duration ROUND = Plan.seconds(1, 0.5);
    private static final int ROUNDS = Plan.times(5, 3);
    private static final int LARGEST = (16 << 20) - (1 << 10);
    private static final double LARGEST_MEGABYTES = 16;

    private Sizes() {}

    /** The rows for one size. */
    private record Size(String name, int bytes, Row direct, Row through) {

        static Size of(String name, int bytes, Path server, Path front) throws Exception {
            return new Size(
                    name,
                    bytes,
                    new Row(name + ", direct", 1, RawSocket.calling(server, EchoCall.producing("echo", bytes))),
                    new Row(name + ", gateway", 1, RawSocket.calling(front, EchoCall.producing("tool__echo", bytes))));
        }

        double ratio() {
            return through.p50() / direct.p50();
        }

        String line() {
            return "| %s | %.0f | %.0f | %.2f | %.1f |"
                    .formatted(name, direct.p50(), through.p50(), ratio(), bytes * through.perSecond() / 1e6);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var peers = new Peers();
        var sizes = new ArrayList<Size>();
        try {
            var server = peers.start("unix", "tool");
            var front = peers.startDaemon(
                    "\"tool\":{\"type\":\"unix\",\"path\":%s}".formatted(JsonStrings.quote(server.toString())), "");
            sizes.add(Size.of("300 B", 300, server, front));
            sizes.add(Size.of("10 KB", 10_000, server, front));
            sizes.add(Size.of("64 KiB", 64 << 10, server, front));
            sizes.add(Size.of("1 MiB", 1 << 20, server, front));
            measure(sizes);
            var growth = measureLargest(peers.last(), sizes, Size.of("16 MiB", LARGEST, server, front));
            print(sizes, growth);
        } finally {
            for (var size : sizes) {
                size.direct().close();
                size.through().close();
            }
            peers.close();
        }
    }

    private static void measure(List<Size> sizes) throws InterruptedException {
        for (var size : sizes) {
            size.direct().warmUp(WARM_UP);
            size.through().warmUp(WARM_UP);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (var size : sizes) {
                size.direct().measure(ROUND);
                size.through().measure(ROUND);
            }
        }
    }

    /** Returns how far the memory of the gateway grows, in MB. */
    private static double measureLargest(ProcessHandle gateway, List<Size> sizes, Size largest) throws Exception {
        sizes.add(largest);
        var before = Usage.megabytes(gateway);
        Usage.forgetPeak(gateway);
        measure(List.of(largest));
        return Usage.peakMegabytes(gateway) - before;
    }

    private static void print(List<Size> sizes, double growth) {
        Goals.say("| result | direct, us | gateway, us | ratio | MB/s |");
        Goals.say("|---|---|---|---|---|");
        sizes.forEach(size -> Goals.say(size.line()));
        Goals.begin();
        for (var size : sizes) {
            if (size.bytes() == 1 << 20) {
                Goals.atMost("1 MiB result, p50 / direct", 1.3, size.ratio());
            } else {
                Goals.figure("%s result, p50 / direct".formatted(size.name()), size.ratio());
            }
        }
        Goals.atMost("growth of memory at results of 16 MiB / message", 4, growth / LARGEST_MEGABYTES);
        Goals.noErrors(
                "sizes",
                sizes.stream()
                        .flatMap(size -> Stream.of(size.direct(), size.through()))
                        .toList());
    }
}
