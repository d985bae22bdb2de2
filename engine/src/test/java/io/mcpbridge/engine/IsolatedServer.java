package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.testkit.RecordingReply;
import java.util.HashMap;
import java.util.Map;

/** A server whose calls of tools have a session each; the test holds every one of them. */
final class IsolatedServer implements AutoCloseable {
    static final String DONE = "{\"content\":[]}";
    static final String LISTED = "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private OneServer one = isolated(Map.of("pool", Map.of("warm", 0, "max", 2)));

    static Map<String, Object> section(Map<String, Object> more) {
        var section = new HashMap<String, Object>(Map.of("command", "alone", "isolation", "call"));
        section.putAll(more);
        return section;
    }

    static OneServer isolated(Map<String, Object> more) {
        return OneServer.with(section(more));
    }

    /** Takes another one instead. */
    void use(OneServer other) {
        one.close();
        one = other;
    }

    OneServer one() {
        return one;
    }

    RecordingReply send() {
        return one.send();
    }

    RecordingReply send(Call call) {
        return one.send(call);
    }

    Call toolCall() {
        return one.toolCall();
    }

    HeldTransport session(int number) {
        return one.server.connections().get(number);
    }

    int sessions() {
        return one.server.connections().size();
    }

    String reading(String name) {
        return one.upstream().readings().stream()
                .filter(each -> each.name().equals(name))
                .map(GaugeReading::words)
                .findFirst()
                .orElseThrow();
    }

    Call call(String params) {
        return one.call(Methods.TOOLS_CALL, params, OneServer.client("alice"));
    }

    /** Opens the session that is there for everything else. */
    void list() {
        one.send(one.call(Methods.TOOLS_LIST, "{}", OneServer.client("alice")));
        session(0).answer(session(0).last(), LISTED);
    }

    @Override
    public void close() {
        one.close();
    }
}
