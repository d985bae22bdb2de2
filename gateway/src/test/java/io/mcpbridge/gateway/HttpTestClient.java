package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A client over Streamable HTTP that makes one request after the other. */
final class HttpTestClient {
    /** One for all: a hundred of them would have a hundred threads. */
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final URI address;
    private String session = "";
    private int lastId;

    HttpTestClient(URI address) {
        this.address = address;
    }

    static HttpTestClient initialized(URI address) throws IOException, InterruptedException {
        var client = new HttpTestClient(address);
        var answer = client.post(
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"http\",\"version\":\"1\"}}");
        client.session = answer.headers().firstValue("Mcp-Session-Id").orElseThrow();
        return client;
    }

    /** The body of the answer, whether it came as JSON or as an event. */
    String call(String tool, String arguments) throws IOException, InterruptedException {
        return post("tools/call", "{\"name\":%s,\"arguments\":%s}".formatted(JsonText.quote(tool), arguments))
                .body();
    }

    /** The body of the answer to a request with this id. */
    String exchange(int id, String method, String params) throws IOException, InterruptedException {
        return post(id, method, params).body();
    }

    private HttpResponse<String> post(String method, String params) throws IOException, InterruptedException {
        return post(++lastId, method, params);
    }

    private HttpResponse<String> post(int id, String method, String params) throws IOException, InterruptedException {
        var body = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params);
        var request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
