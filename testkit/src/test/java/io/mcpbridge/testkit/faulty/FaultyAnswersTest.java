package io.mcpbridge.testkit.faulty;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Era;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the faulty server does to answers, over a Unix socket. */
@Timeout(60)
class FaultyAnswersTest {
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Path folder;

    FaultyAnswersTest() throws IOException {
        folder = Files.createTempDirectory("fa");
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened) {
            each.close();
        }
        Files.delete(folder);
    }

    private LineTalk talk(String... rules) throws IOException {
        var socket = folder.resolve("s");
        opened.add(0, FaultyServer.overUnix(socket, Era.LEGACY, FaultScript.parse(rules)));
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        opened.add(0, channel);
        var streams = new ConnectionAcceptor.Duplex(channel);
        return new LineTalk(Channels.newInputStream(streams), Channels.newOutputStream(streams));
    }

    @Test
    void serverAnswersTwice() throws IOException {
        var talk = talk("on-request=double");

        talk.call(1, "echo", "{}");

        assertThat(talk.next()).isEqualTo(talk.next()).contains("\"id\":1");
    }

    @Test
    void serverAnswersUnderAnotherId() throws IOException {
        var talk = talk("on-request=wrong-id");

        talk.call(1, "echo", "{}");

        assertThat(talk.next()).contains("\"id\":\"unrequested\"");
    }

    @Test
    void serverFloodsBeforeTheAnswer() throws IOException {
        var talk = talk("on-request=flood:50");

        talk.call(1, "echo", "{}");

        for (int i = 0; i < 50; i++) {
            assertThat(talk.next()).contains("notifications/message");
        }
        assertThat(talk.next()).contains("\"id\":1");
    }

    @Test
    void serverSendsAnInvalidMessage() throws IOException {
        var talk = talk("before-initialize=garbage", "before-initialize=wrong-version");

        talk.initialize();

        assertThat(talk.next()).isEqualTo("this is no message {]");
        assertThat(talk.next()).contains("1999-01-01");
    }

    @Test
    void serverSendsAHugeAnswer() throws IOException {
        var talk = talk("on-request=huge:1000000");

        talk.call(1, "echo", "{}");

        assertThat(talk.next()).hasSizeGreaterThan(1_000_000);
    }

    @Test
    void serverCutsItsAnswer() throws IOException {
        var talk = talk("mid-answer=cut");

        talk.call(1, "echo", "{}");

        assertThat(talk.next()).startsWith("{\"jsonrpc\"").doesNotEndWith("}");
        assertThat(talk.next()).isEqualTo("end");
    }

    @Test
    void serverDribblesItsAnswer() throws IOException {
        var talk = talk("on-list=dribble:1");

        talk.ask(1, "tools/list", "{}");

        assertThat(talk.next()).contains("\"echo\"", "\"crash\"").endsWith("}");
    }

    @Test
    void serverAddsAToolAndReportsTheChange() throws IOException {
        var talk = talk("on-request=tool:more");

        talk.call(1, "echo", "{}");
        assertThat(talk.next()).contains("notifications/tools/list_changed");
        talk.next();
        talk.ask(2, "tools/list", "{}");

        assertThat(talk.next()).contains("\"name\":\"more\"");
    }

    @Test
    void silentRequestDoesNotBlockOthersButAHangDoes() throws IOException {
        var talk = talk("on-request:1=silence", "on-request:3=hang", "after-answer=exit");

        talk.call(1, "echo", "{}");
        talk.ask(2, "ping", "{}");

        assertThat(talk.next()).contains("\"id\":2");
    }
}
