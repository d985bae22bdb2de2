package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A legacy HTTP client receives neither response nor error for a call that it cancelled. */
@Timeout(60)
class CancelledOverHttpTest {
    private static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
        "clientInfo":{"name":"raw","version":"1"}}}\
        """;

    private static final String HANG = """
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tool__hang","arguments":{}}}\
        """;

    private static final String CANCEL = """
        {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\
        """;

    private final ToolScript script = new ToolScript("tool", "hang");

    @RegisterExtension
    final DaemonFixture fixture = DaemonFixture.serving("tool", script);

    @Test
    void cancelledCallOverHttpEndsItsStreamWithoutAnAnswer() throws IOException {
        var session = initialize();
        try (var call = RawHttp.post(fixture.httpAddress(), session, HANG)) {
            Eventually.holds("the call to arrive", () -> script.hanging() == 1);

            try (var cancel = RawHttp.post(fixture.httpAddress(), session, CANCEL)) {
                assertThat(cancel.all()).startsWith("HTTP/1.1 202 ");
            }

            assertThat(call.all())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("content-type: text/event-stream\r\n")
                    .endsWith("\r\n\r\n0\r\n\r\n");
            Eventually.holds(
                    "the server to receive the cancellation",
                    () -> script.cancelled().size() == 1);
        }
    }

    /** The session header. */
    private String initialize() throws IOException {
        try (var opening = RawHttp.post(fixture.httpAddress(), "", INITIALIZE)) {
            return opening.all().replaceAll("(?is).*\r\n(mcp-session-id: [^\r]*\r\n).*", "$1");
        }
    }
}
