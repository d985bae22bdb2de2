package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Credentials;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import io.mcpbridge.testkit.RecordingReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP servers receive the credentials of the caller, and rejected ones are renewed once. */
class CredentialsTest {
    private static final String SECRET = "s3cret";

    private final Renewed credentials = new Renewed();
    private OneServer bench = OneServer.showing(credentials, Map.of("shared", false));

    @BeforeEach
    void serveOverHttp() {
        bench.server.streamPerRequest();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void everyMessageCarriesTheCredentialsOfItsCaller() {
        call("alice");

        var connection = bench.connection();
        assertThat(connection.sent())
                .isNotEmpty()
                .allSatisfy(out -> assertThat(token(out)).isEqualTo("alice-s3cret-1"));
    }

    @Test
    void byteStreamTransportGetsNoHeaders() {
        bench.close();
        bench = OneServer.showing(credentials, Map.of("shared", false));

        call("alice");

        assertThat(bench.connection().last().headers().asMap()).isEmpty();
    }

    @Test
    void usersOfASharedServerShareOneIdentity() {
        bench.close();
        bench = OneServer.showing(credentials, Map.of());
        bench.server.streamPerRequest();

        call("alice");

        assertThat(token(bench.connection().last())).isEqualTo("anonymous-s3cret-1");
    }

    @Test
    @DisplayName("F10: rejected credentials are renewed once, and the call is resent with the new ones")
    void rejectedCredentialsAreRenewedAndTheCallIsResent() {
        var reply = call("alice");

        refuse(bench.connection());
        credentials.complete();
        bench.connection().answer(bench.connection().last(), "{\"content\":[]}");

        assertThat(credentials.asked).containsExactly("alice: Bearer realm=\"x\"");
        assertThat(token(bench.connection().last())).isEqualTo("alice-s3cret-2");
        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    @DisplayName("F10: calls that are rejected at the same time share one renewal")
    void concurrentlyRejectedCallsShareOneRenewal() {
        call("alice");
        call("alice");
        var sent = List.copyOf(bench.connection().requests());

        sent.forEach(out -> bench.connection().fail(out, refused()));
        assertThat(bench.connection().requests()).hasSize(2);
        credentials.complete();

        assertThat(credentials.asked).hasSize(1);
        assertThat(bench.connection().requests()).hasSize(4);
    }

    @Test
    void callRejectedAfterTheRenewalIsResentWithTheNewCredentials() {
        call("alice");
        call("alice");
        var sent = List.copyOf(bench.connection().requests());

        bench.connection().fail(sent.get(0), refused());
        credentials.complete();
        bench.connection().fail(sent.get(1), refused());

        assertThat(credentials.asked).hasSize(1);
        assertThat(token(bench.connection().last())).isEqualTo("alice-s3cret-2");
    }

    @Test
    void renewalIsPerUser() {
        call("alice");
        refuse(bench.connection());
        call("bob");
        refuse(bench.connection());

        assertThat(credentials.asked).hasSize(2);
    }

    @ParameterizedTest(name = "F10: {0}")
    @ValueSource(strings = {"initialize", "server/discover"})
    void credentialsRejectedInTheHandshakeAreRenewed(String method) {
        bench.server.answerNothing();
        var reply = call("alice");
        if (method.equals("initialize")) {
            var discover = (Request) bench.connection().handshake().message();
            bench.connection().receive(Response.error(discover.id(), -32601, "Method not found"));
        }
        var refused = bench.connection().handshake();

        bench.connection().fail(refused, refused());
        credentials.complete();

        var again = bench.connection().handshake();
        assertThat(token(again)).isEqualTo("alice-s3cret-2");
        assertThat(((Request) again.message()).method()).isEqualTo(method);
        assertThat(((Request) again.message()).id()).isNotEqualTo(((Request) refused.message()).id());
        assertThat(credentials.asked).hasSize(1);
        var result = method.equals("initialize") ? HeldTransport.WELCOME : HeldTransport.DISCOVERED;
        bench.connection().answer(again, result);
        bench.connection().answer(bench.connection().last(), "{\"content\":[],\"resultType\":\"complete\"}");
        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    @DisplayName("F10: a handshake that is rejected twice fails, and the server is not taken for a legacy one")
    void handshakeThatIsRejectedTwiceFails() {
        bench.server.answerNothing();
        var reply = call("alice");

        bench.connection().fail(bench.connection().handshake(), refused());
        credentials.complete();
        bench.connection().fail(bench.connection().handshake(), refused());

        assertThat(reply.awaitFailure().status()).hasValue(401);
        assertThat(credentials.asked).hasSize(1);
        assertThat(bench.connection().messages()).hasSize(2);
    }

    @Test
    @DisplayName("F10: a list whose credentials are rejected is requested again with renewed ones")
    void listWithRejectedCredentialsIsRequestedAgain() {
        var tools = new Lists();
        var caller = Caller.ANONYMOUS.withPrincipal(new Principal("alice", "token"));
        bench.route.tools().list(caller, tools);

        refuse(bench.connection());
        credentials.complete();
        bench.connection()
                .answer(
                        bench.connection().last(),
                        "{\"tools\":[{\"name\":\"hers\",\"inputSchema\":{\"type\":\"object\"}}]}");

        assertThat(tools.told).containsExactly(List.of("hers"));
        assertThat(token(bench.connection().last())).isEqualTo("alice-s3cret-2");
    }

    @Test
    @DisplayName("F10: a subscription whose credentials are rejected receives changes under its new id")
    void subscriptionWithRenewedCredentialsReceivesChangesUnderItsNewId() {
        bench.server.modern();
        bench.server.declare("{\"tools\":{\"listChanged\":true}}");
        bench.upstream().connect(bench.call(Methods.INITIALIZE, "{}", OneServer.client("")), new RecordingReply());
        refuse(bench.connection());
        credentials.complete();
        var listen = bench.connection().last();

        receive(listen, Methods.SUBSCRIPTIONS_ACKNOWLEDGED, "{\"notifications\":{\"toolsListChanged\":true}}");
        receive(listen, Methods.TOOLS_LIST_CHANGED, "{}");

        assertThat(bench.toolChanges).hasValue(1);
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    private void receive(Outgoing listen, String method, String params) {
        bench.connection().receiver().message(Notification.of(method, params), Optional.of(listen));
    }

    @Test
    @DisplayName("F10: credentials that are rejected again are reported without a secret")
    void credentialsRejectedAgainAreReported() {
        var reply = call("alice");

        refuse(bench.connection());
        credentials.complete();
        refuse(bench.connection());

        assertThat(reply.awaitFailure().status()).hasValue(401);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.REJECTED);
        assertThat(credentials.asked).hasSize(1);
        assertThat(reply.awaitFailure().message()).doesNotContain(SECRET);
        assertThat(bench.log.lines()).noneMatch(line -> line.contains(SECRET));
        assertThat(bench.heard).noneMatch(event -> event.toString().contains(SECRET));
    }

    @Test
    void renewalThatFailsOrTimesOutIsReported() {
        var failed = call("alice");
        refuse(bench.connection());
        credentials.waiting.remove(0).failed(new IllegalStateException("nobody issues any"));
        var late = call("alice");
        refuse(bench.connection());
        bench.time.advance(OneServer.TIMEOUT);

        assertThat(failed.awaitFailure().message()).contains("401", "nobody issues any");
        assertThat(late.awaitFailure().message()).contains("401", "longer than");
    }

    private RecordingReply call(String user) {
        var caller = Caller.ANONYMOUS.withSession(user).withPrincipal(new Principal(user, "token"));
        return bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", caller));
    }

    private static void refuse(HeldTransport connection) {
        connection.fail(connection.last(), refused());
    }

    private static RequestFailure refused() {
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "HTTP status 401")
                .withStatus(401)
                .withDelivery(Delivery.REJECTED);
        return RequestFailure.of(Kind.UNAUTHORIZED, failure).withChallenge("Bearer realm=\"x\"");
    }

    private static String token(Outgoing out) {
        return out.headers().first("Authorization").orElse("");
    }

    /** Each renewal counts up; the test says when it ends. */
    private static final class Renewed implements Credentials {
        private final List<String> asked = new ArrayList<>();
        private final List<Completion> waiting = new ArrayList<>();
        private int version = 1;

        @Override
        public MessageHeaders headers(Principal principal, String server) {
            return MessageHeaders.EMPTY.with("Authorization", "%s-%s-%d".formatted(principal.name(), SECRET, version));
        }

        @Override
        public void refresh(Principal principal, String server, String challenge, Completion completion) {
            asked.add(principal.name() + ": " + challenge);
            waiting.add(completion);
        }

        private void complete() {
            version++;
            waiting.remove(0).succeeded();
        }
    }
}
