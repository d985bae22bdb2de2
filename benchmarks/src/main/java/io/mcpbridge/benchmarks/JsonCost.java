package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Compares the scan of a message of a client, duplicate keys included, with a tree of Jackson, parsed and written. */
final class JsonCost {
    private static final List<Integer> SIZES = List.of(300, 10_000, 1_000_000);
    private static final int ROUNDS = 11;
    private static final int BYTES_OF_A_ROUND = 30_000_000;
    private static final ObjectMapper JACKSON = new ObjectMapper();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private JsonCost() {}

    public static void main(String[] arguments) throws Exception {
        Goals.say("| message | scan, us | Jackson, us | scan allocates, bytes |");
        Goals.say("|---|---|---|---|");
        var costs = new ArrayList<Cost>();
        for (var bytes : SIZES) {
            costs.add(compare(message(bytes)));
        }
        Goals.begin();
        for (int i = 0; i < SIZES.size(); i++) {
            Goals.atMost("P9 scan / Jackson tree, %,d bytes".formatted(SIZES.get(i)), 0.6, costs.get(i).ratio);
        }
        Goals.atMost(
                "P9 allocation of a scan, largest / smallest message",
                1.1,
                (double) costs.get(SIZES.size() - 1).allocated / costs.get(0).allocated);
    }

    /** The time of a scan, divided by that of a tree, and the bytes that it allocates. */
    private record Cost(double ratio, long allocated) {}

    /** A call whose arguments are orders. */
    private static byte[] message(int bytes) {
        var orders = new StringBuilder();
        for (int i = 0; orders.length() < bytes - 130; i++) {
            orders.append(i == 0 ? "" : ",")
                    .append("{\"order\":%d,\"customer\":\"Grüße %d\",\"paid\":true,\"sum\":%d.50}".formatted(i, i, i));
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"orders\":[%s]}}}"
                .formatted(orders)
                .getBytes(UTF_8);
    }

    private static Cost compare(byte[] message) throws Exception {
        int times = BYTES_OF_A_ROUND / message.length;
        var scan = new Spans();
        var tree = new Spans();
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            // The first half warms up.
            (round < 0 ? new Spans() : scan).measure(1, () -> scan(message, times));
            (round < 0 ? new Spans() : tree).measure(1, () -> parseAndWrite(message, times));
        }
        var before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        scan(message, times);
        var allocated = (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / times;
        Goals.say("| %,d bytes | %.2f | %.2f | %d |"
                .formatted(message.length, scan.at(0.5) / times, tree.at(0.5) / times, allocated));
        return new Cost(scan.at(0.5) / tree.at(0.5), allocated);
    }

    private static void scan(byte[] message, int times) {
        for (int i = 0; i < times; i++) {
            var unused = Message.scan(message, Limits.CLIENT);
        }
    }

    private static void parseAndWrite(byte[] message, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            var unused = JACKSON.writeValueAsBytes(JACKSON.readTree(message));
        }
    }
}
