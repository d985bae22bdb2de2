package io.mcpbridge.transport.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a stream still does to the connection of a GET that has ended. */
class EventStreamTest implements EventStream.Listener, HttpConnection.Owner {
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();
    private final SharedEventLoopGroup.Lease loops = new SharedEventLoopGroup("test").lease();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<HttpCall> gets = new ArrayList<>();
    private final EventStream stream =
            new EventStream(session(), ProtocolVersion.V2025_06_18, new StreamPosition(), gets::add);
    private boolean isRefused;
    private boolean isOver;

    private HttpClientSession session() {
        var settings = HttpTransportSettings.from(Settings.parse("{\"url\": \"http://localhost/mcp\"}"));
        var environment = surroundings.environment();
        var endpoint = Endpoint.of(settings.url());
        var dialer = new Dialer(endpoint, settings.connectTimeout(), loops, environment.workers());
        var pool = new HttpConnectionPool(endpoint, dialer, environment.timekeeper(), settings);
        return new HttpClientSession(endpoint, pool, settings, environment);
    }

    @BeforeEach
    void open() {
        stream.open(this);
        assertThat(gets.get(0).begin(new HttpConnection(channel, this, false))).isTrue();
    }

    @AfterEach
    void endAll() {
        loops.close();
        surroundings.close();
    }

    @Test
    void closeReachesTheConnectionOfAnOpenStream() {
        stream.close();

        assertThat(channel.hasPendingTasks()).isTrue();
    }

    @Test
    void endedStreamDoesNotAffectItsConnection() {
        gets.get(0).end();
        assertThat(isOver).isTrue();

        stream.breakOff();
        stream.close();

        assertThat(channel.hasPendingTasks()).isFalse();
    }

    @Test
    void rejectedStreamDoesNotAffectItsConnection() {
        gets.get(0).head(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.METHOD_NOT_ALLOWED));
        assertThat(isRefused).isTrue();
        channel.runPendingTasks();

        stream.breakOff();
        stream.close();

        assertThat(channel.hasPendingTasks()).isFalse();
    }

    @Override
    public void event(SseEvent event) {}

    @Override
    public void refused(HttpResponse head) {
        isRefused = true;
    }

    @Override
    public void over() {
        isOver = true;
    }

    @Override
    public void free(HttpConnection connection) {}

    @Override
    public void closed(HttpConnection connection) {}

    @Override
    public void stale(HttpCall call) {}
}
