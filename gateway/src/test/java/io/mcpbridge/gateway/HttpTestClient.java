package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A sequential Streamable HTTP client of either era. */
final class HttpTestClient {
    /** Shared: a hundred clients would have a hundred threads. */
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String KEY = "io.modelcontextprotocol/";

    private final URI address;
    private final Duration timeout;
    private final boolean isModern;
    private String session = "";
    private List<String> always = List.of();
    private int lastId;

    HttpTestClient(URI address) {
        this(address, TIMEOUT, false);
    }

    private HttpTestClient(URI address, Duration timeout, boolean isModern) {
        this.address = address;
        this.timeout = timeout;
        this.isModern = isModern;
    }

    /** A client of the modern era, which needs no handshake. */
    static HttpTestClient modern(URI address, Duration timeout) {
        return new HttpTestClient(address, timeout, true);
    }

    static HttpTestClient initialized(URI address) throws IOException, InterruptedException {
        return initialized(address, TIMEOUT);
    }

    static HttpTestClient initialized(URI address, Duration timeout) throws IOException, InterruptedException {
        return new HttpTestClient(address, timeout, false).initialize();
    }

    /** The same, which sends these with each request, the first included: names and values in turn. */
    static HttpTestClient initializedSending(URI address, String... headers) throws IOException, InterruptedException {
        return new HttpTestClient(address).sending(headers).initialize();
    }

    private HttpTestClient initialize() throws IOException, InterruptedException {
        var answer = post(
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"http\",\"version\":\"1\"}}");
        session = answer.headers().firstValue("Mcp-Session-Id").orElseThrow();
        return this;
    }

    /** The same client, which sends these with each request: names and values in turn. */
    HttpTestClient sending(String... headers) {
        always = List.of(headers);
        return this;
    }

    /** The body of the answer, whether it came as JSON or as an event. */
    String call(String tool, String arguments) throws IOException, InterruptedException {
        return post("tools/call", "{\"name\":%s,\"arguments\":%s}".formatted(JsonStrings.quote(tool), arguments))
                .body();
    }

    /** The body of the answer to a request with this id. */
    String exchange(int id, String method, String params) throws IOException, InterruptedException {
        return post(id, method, params, List.of()).body();
    }

    /** The body of the answer to a call with this id, which is its progress token too. */
    String callTool(int id, String tool, String arguments) throws IOException, InterruptedException {
        var era = "\"%sprotocolVersion\":\"2026-07-28\",\"%sclientCapabilities\":{},".formatted(KEY, KEY);
        var params = "{\"name\":%s,\"arguments\":%s,\"_meta\":{%s\"progressToken\":%d}}"
                .formatted(JsonStrings.quote(tool), arguments, isModern ? era : "", id);
        var headers = isModern
                ? List.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
                : List.<String>of();
        return post(id, "tools/call", params, headers).body();
    }

    private HttpResponse<String> post(String method, String params) throws IOException, InterruptedException {
        return post(++lastId, method, params, List.of());
    }

    /** @param headers names and values in turn */
    private HttpResponse<String> post(int id, String method, String params, List<String> headers)
            throws IOException, InterruptedException {
        var body = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params);
        var request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        put(headers, request);
        put(always, request);
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        return send(request.build());
    }

    private static void put(List<String> headers, HttpRequest.Builder request) {
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
    }

    /** Waits for the whole body no longer than for the head, which is all that the client itself watches. */
    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        var answer = HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            answer.cancel(true);
            throw new HttpTimeoutException("nothing for " + timeout);
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
        }
    }
}
