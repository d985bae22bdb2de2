package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.IdempotencyKey;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of tools carry a key and the time that is left to servers that say they keep outcomes by it, and to no others. */
class KeyedAttemptsTest {
    private static final String UUID = "1c6ff6b5-2b0a-4c39-8a53-0d6f7e0b8a11";
    private static final String KEEPER = """
        {"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":\
        {"experimental":{"io.mcpbridge/idempotency":{"instance":"%s"}}}}\
        """;

    private final OneServer bench = OneServer.reconnecting();

    @BeforeEach
    void letTheTestShakeHands() {
        bench.server.holdHandshakes();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void upstreamBridgeReceivesKeyAndRemainingTime() {
        var call = keyed(call(""));
        bench.send(call);
        bench.time.advance(Duration.ofMillis(100));

        Handshakes.answer(bench.connection(), KEEPER.formatted("one"));

        assertThat(last().text(MessageField.IDEMPOTENCY_KEY)).contains(key(call).text());
        assertThat(last().raw(MessageField.TIMEOUT_MS)).contains("4900");
        assertThat(key(call).isAgreed()).isTrue();
    }

    @Test
    void otherServersReceiveNeitherKeyNorTime() {
        var call = keyed(call(""));
        bench.send(call);

        Handshakes.accept(bench.connection());

        assertThat(last().has(MessageField.META)).isFalse();
        assertThat(key(call).isAgreed()).isFalse();
    }

    @Test
    void onlyToolCallsCarryAKey() {
        var call = keyed(of(Methods.PROMPTS_GET, "{\"name\":\"p\"}"));
        bench.send(call);

        Handshakes.answer(bench.connection(), KEEPER.formatted("one"));

        assertThat(last().has(MessageField.META)).isFalse();
        assertThat(key(call).isAgreed()).isFalse();
    }

    @Test
    void keyOfTheClientIsForwardedUnchanged() {
        bench.send(keyed(call(",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"%s\"}".formatted(UUID))));

        Handshakes.answer(bench.connection(), KEEPER.formatted("one"));

        assertThat(last().text(MessageField.IDEMPOTENCY_KEY)).contains(UUID);
    }

    @Test
    void shortKeyIsMadeUniquePerUser() {
        var meta = ",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"1\"}";
        var anna = key(by("anna", meta), new Random(1)).text();

        assertThat(key(by("anna", meta), new Random(2)).text()).isEqualTo(anna);
        assertThat(key(by("bert", meta), new Random(1)).text()).isNotEqualTo(anna);
    }

    @Test
    void retriedCallNamesTheBridgeInstance() {
        var call = keyed(call(""));
        bench.send(call);
        Handshakes.answer(bench.connection(), KEEPER.formatted("one"));
        key(call).bind();

        bench.send(call);

        var requests = bench.connection().requests();
        assertThat(((Request) requests.get(0).message()).has(MessageField.IDEMPOTENCY_INSTANCE))
                .isFalse();
        assertThat(((Request) requests.get(1).message()).text(MessageField.IDEMPOTENCY_INSTANCE))
                .contains("one");
    }

    @Test
    void retriedCallGoesOnlyToTheSameBridgeInstance() {
        var call = keyed(call(""));
        bench.send(call);
        Handshakes.answer(bench.connection(), KEEPER.formatted("one"));
        bench.connection().write(bench.connection().requests().get(0));
        bench.connection().end(Closed.disconnected("reset"));
        key(call).bind();
        bench.time.advance(Duration.ofSeconds(2));

        var again = bench.send(call);
        Handshakes.answer(bench.connection(), KEEPER.formatted("two"));

        var failure = again.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.IN_DOUBT);
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(bench.connection().requests()).isEmpty();
    }

    private static IdempotencyKey key(Call call, Random random) {
        return IdempotencyKey.of(call.request(), call.caller().principal(), random);
    }

    private static IdempotencyKey key(Call call) {
        return call.idempotencyKey().orElseThrow();
    }

    private Call keyed(Call call) {
        return call.withIdempotencyKey(key(call, new Random(7)));
    }

    private Call call(String more) {
        return of(Methods.TOOLS_CALL, "{\"name\":\"echo\"%s}".formatted(more));
    }

    private Call of(String method, String params) {
        var request = Request.of(MessageId.of(1), method, params);
        return Call.of(request, OneServer.client("alice"), "c-1", Deadline.after(Duration.ofSeconds(5), bench.time));
    }

    private Call by(String user, String more) {
        var caller = Caller.ANONYMOUS.withPrincipal(new Principal(user, "token"));
        var call = call(more);
        return Call.of(call.request(), caller, call.correlationId(), call.deadline());
    }

    private Request last() {
        Outgoing out = bench.connection().requests().get(0);
        return (Request) out.message();
    }
}
