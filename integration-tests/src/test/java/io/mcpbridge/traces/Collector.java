package io.mcpbridge.traces;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A collector that takes OTLP over HTTP, or takes it and says nothing. */
final class Collector implements AutoCloseable {
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final CountDownLatch answering;
    private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
    private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();

    private Collector(HttpServer server, CountDownLatch answering) {
        this.server = server;
        this.answering = answering;
    }

    static Collector start() throws IOException {
        return start(new CountDownLatch(0));
    }

    /** One that leaves everything that it gets without an answer. */
    static Collector hanging() throws IOException {
        return start(new CountDownLatch(1));
    }

    private static Collector start(CountDownLatch answering) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var collector = new Collector(server, answering);
        server.createContext("/v1/traces", collector::takeTraces);
        server.createContext("/v1/metrics", collector::takeMetrics);
        server.setExecutor(collector.workers);
        server.start();
        return collector;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void takeTraces(HttpExchange exchange) throws IOException {
        traces.add(ExportTraceServiceRequest.parseFrom(body(exchange)));
        answer(exchange, ExportTraceServiceResponse.getDefaultInstance().toByteArray());
    }

    private void takeMetrics(HttpExchange exchange) throws IOException {
        metrics.add(ExportMetricsServiceRequest.parseFrom(body(exchange)));
        answer(exchange, ExportMetricsServiceResponse.getDefaultInstance().toByteArray());
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        var isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (var body = isZipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            return body.readAllBytes();
        }
    }

    private void answer(HttpExchange exchange, byte[] body) throws IOException {
        try (exchange) {
            answering.await();
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    boolean hasSomething() {
        return !traces.isEmpty() || !metrics.isEmpty();
    }

    List<Span> spans() {
        return traces.stream()
                .flatMap(each -> each.getResourceSpansList().stream())
                .flatMap(each -> each.getScopeSpansList().stream())
                .flatMap(each -> each.getSpansList().stream())
                .toList();
    }

    List<String> metricNames() {
        return metrics.stream()
                .flatMap(each -> each.getResourceMetricsList().stream())
                .flatMap(each -> each.getScopeMetricsList().stream())
                .flatMap(each -> each.getMetricsList().stream())
                .map(Metric::getName)
                .distinct()
                .toList();
    }

    /** The service name of the sender of the spans. */
    List<String> services() {
        return traces.stream()
                .flatMap(each -> each.getResourceSpansList().stream())
                .flatMap(each -> each.getResource().getAttributesList().stream())
                .filter(each -> each.getKey().equals("service.name"))
                .map(each -> each.getValue().getStringValue())
                .distinct()
                .toList();
    }

    static String attribute(Span span, String key) {
        return span.getAttributesList().stream()
                .filter(each -> each.getKey().equals(key))
                .map(KeyValue::getValue)
                .map(value -> value.getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        answering.countDown();
        server.stop(0);
        workers.shutdownNow();
    }
}
