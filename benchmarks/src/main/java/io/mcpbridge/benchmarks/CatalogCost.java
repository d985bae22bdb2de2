package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures ten thousand tools of a hundred servers behind one daemon: the latency of the whole list, of a search and of
 * a change notification, and the memory of the daemon.
 */
final class CatalogCost implements AutoCloseable {
    private static final int SERVERS = 100;
    private static final int ROUNDS = 30;
    private static final int CHANGES = 20;

    private final SocketChannel channel;
    private final BufferedReader lines;
    private int lastId;
    private int changed;

    private CatalogCost(Path socket) throws IOException {
        this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        this.lines = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
        Payload.write(channel, Payload.INITIALIZE);
        var unused = answer();
        Payload.write(channel, Payload.INITIALIZED);
    }

    /** Prints a table; the first list connects all servers. */
    public static void main(String[] arguments) throws Exception {
        try (var peers = new Peers()) {
            var names = IntStream.range(0, SERVERS).mapToObj("s%02d"::formatted).toList();
            var sockets = peers.start("tools", names);
            var servers = sockets.stream()
                    .map(socket -> "\"%s\":{\"path\":\"%s\"}"
                            .formatted(socket.getFileName().toString().replace(".sock", ""), socket))
                    .collect(Collectors.joining(","));
            Goals.say("| 10,000 tools of 100 servers | p50 ms | max ms |");
            Goals.say("|---|---|---|");
            measureLists(peers, peers.startDaemon("listing", servers, ""));
            measureSearches(peers.startDaemon(
                    "searching", servers, "\"catalog\":{\"search-tools\":true,\"always-listed\":[\"s00__tool_00\"]},"));
        }
    }

    private static void measureLists(Peers peers, Path socket) throws Exception {
        try (var client = new CatalogCost(socket)) {
            var before = live(peers.last().pid());
            say("first list, which connects all servers", spans(1, () -> client.list()));
            rounds("whole list, 11 pages", () -> client.list());
            var server = new AtomicInteger();
            say(
                    "call that changes a tool, until its client is notified",
                    spans(CHANGES, () -> client.change("s%02d__tool_00".formatted(server.getAndIncrement()))));
            rounds("call of a tool", () -> client.call("tools/call", "{\"name\":\"s99__tool_50\"}"));
            Goals.say("heap in use by the daemon: %d MiB before, %d MiB with all lists"
                    .formatted(before, live(peers.last().pid())));
        }
    }

    private static void measureSearches(Path socket) throws Exception {
        try (var client = new CatalogCost(socket)) {
            var search = "{\"name\":\"bridge__search_tools\",\"arguments\":{\"query\":\"%s\"}}";
            say(
                    "first search, which connects all servers",
                    spans(1, () -> client.call("tools/call", search.formatted("order"))));
            rounds("list of a client that searches", () -> client.call("tools/list", "{}"));
            rounds("search that finds all", () -> client.call("tools/call", search.formatted("order")));
            rounds("search that finds one", () -> client.call("tools/call", search.formatted("s42 number77")));
            rounds(
                    "call of a tool through bridge__call_tool",
                    () -> client.call(
                            "tools/call",
                            "{\"name\":\"bridge__call_tool\",\"arguments\":{\"name\":\"s99__tool_50\"}}"));
        }
    }

    private static void rounds(String what, Spans.Work work) throws Exception {
        var unused = spans(5, work);
        say(what, spans(ROUNDS, work));
    }

    private static Spans spans(int times, Spans.Work work) throws Exception {
        var spans = new Spans();
        spans.measure(times, work);
        return spans;
    }

    private static void say(String what, Spans spans) {
        Goals.say("| %s | %.2f | %.2f |".formatted(what, spans.at(0.5) / 1e3, spans.at(1) / 1e3));
    }

    /** Lists all pages. */
    private void list() throws IOException {
        var params = "{}";
        while (true) {
            var page = call(Methods.TOOLS_LIST, params);
            var cursor = page.raw(MessageField.NEXT_CURSOR);
            if (cursor.isEmpty()) {
                return;
            }
            params = "{\"cursor\":%s}".formatted(cursor.get());
        }
    }

    private void change(String tool) throws IOException {
        var before = changed;
        var unused = call(Methods.TOOLS_CALL, "{\"name\":\"%s\"}".formatted(tool));
        while (changed == before) {
            receive();
        }
    }

    private Response call(String method, String params) throws IOException {
        Payload.write(
                channel,
                "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n"
                        .formatted(++lastId, method, params));
        var answer = answer();
        if (answer.isError()) {
            throw new IOException("the answer is " + answer.json());
        }
        return answer;
    }

    private Response answer() throws IOException {
        while (true) {
            if (receive() instanceof Response response) {
                return response;
            }
        }
    }

    private Message receive() throws IOException {
        var line = lines.readLine();
        if (line == null) {
            throw new EOFException("the daemon ended the connection");
        }
        var message = Message.scan(line.getBytes(UTF_8), Limits.SERVER);
        if (message instanceof Notification note && note.method().equals(Methods.TOOLS_LIST_CHANGED)) {
            changed++;
        }
        return message;
    }

    /** The live heap of a Java process after a collection, in MiB. */
    private static long live(long pid) throws IOException, InterruptedException {
        var unused = jcmd(pid, "GC.run");
        // One line for each generation.
        var used = Pattern.compile("total \\d+K, used (\\d+)K").matcher(jcmd(pid, "GC.heap_info"));
        return used.results().mapToLong(each -> Long.parseLong(each.group(1))).sum() >> 10;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        var program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(program, Long.toString(pid), command).start();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return said;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
