package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authorization by bearer tokens. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpTokenTest {
    private static final String ALICE = "alice-0123456789";
    private static final String BOB = "bob-0123456789ab";
    private static final Map<String, ?> TOKENS = Map.of("tokens", Map.of("alice", ALICE, "bob", BOB));

    @Test
    void tokenIdentifiesThePrincipal() throws IOException {
        try (var served = ListenerFixture.with(TOKENS);
                var client = served.client()) {
            client.write(client.post("Authorization: bearer " + BOB + "\r\n", ListenerFixture.PING));

            var exchange = served.acceptor.awaitMessage();

            assertThat(exchange.principal()).isEqualTo(new Principal("bob", "token"));
        }
    }

    @Test
    void eachRequestOfAConnectionHasItsOwnPrincipal() throws IOException {
        try (var served = ListenerFixture.with(TOKENS);
                var client = served.client()) {
            for (var name : List.of("alice", "alice", "bob", "alice")) {
                var token = name.equals("bob") ? BOB : ALICE;
                client.write(client.post("Authorization: Bearer " + token + "\r\n", ListenerFixture.PING));
                var exchange = served.acceptor.awaitMessage();
                assertThat(exchange.principal().name()).isEqualTo(name);
                exchange.end(ListenerFixture.answer(1));
                assertThat(client.response().status()).isEqualTo(200);
            }
            client.write(client.post("Authorization: Bearer " + ALICE + "x\r\n", ListenerFixture.PING));

            assertThat(client.response().status()).isEqualTo(401);
        }
    }

    @Test
    void clientsAreAnonymousWithoutTokens() throws IOException {
        try (var served = ListenerFixture.with(Map.of());
                var client = served.client()) {
            client.write(client.post("Authorization: Bearer anything\r\n", ListenerFixture.PING));

            assertThat(served.acceptor.awaitMessage().principal()).isEqualTo(Principal.ANONYMOUS);
        }
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {
                "",
                "Authorization: Bearer wrong-0123456789\r\n",
                "Authorization: Bearer \r\n",
                "Authorization: Basic YWxpY2U6YWxpY2U=\r\n",
                "Authorization: " + ALICE + "\r\n",
                "Authorization: Bearer " + ALICE + "x\r\n",
                "Authorization: Bearer " + ALICE + "\r\nAuthorization: Bearer " + BOB + "\r\n",
                "X-Authorization: Bearer " + ALICE + "\r\n",
            })
    void requestWithoutAValidTokenIsChallenged(String header) throws IOException {
        try (var served = ListenerFixture.echoing(TOKENS);
                var client = served.client()) {
            client.write(client.post(header, ListenerFixture.PING));

            var response = client.response();

            assertThat(response.status()).isEqualTo(401);
            var challenge = response.headers().getOrDefault("www-authenticate", "");
            assertThat(challenge).startsWith("Bearer realm=");
            assertThat(challenge.contains("invalid_token")).isEqualTo(header.startsWith("Authorization"));
            assertThat(response.body()).doesNotContain("alice").doesNotContain("bob");
        }
    }

    @Test
    void publicAddressRequiresTokens() {
        assertThatThrownBy(() -> ListenerFixture.echoing(Map.of("host", "0.0.0.0")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'host' is '0.0.0.0'")
                .hasMessageContaining("'tokens'");
    }

    @Test
    void publicAddressWithTokensStillChecksTheHost() throws IOException {
        try (var served = ListenerFixture.echoing(Map.of("host", "0.0.0.0", "tokens", Map.of("alice", ALICE)));
                var client = served.client()) {
            client.write(client.post("Authorization: Bearer " + ALICE + "\r\n", ListenerFixture.PING));

            assertThat(client.response().status()).isEqualTo(421);
        }
    }

    @Test
    void portInUseIsReported() {
        try (var served = ListenerFixture.echoing(Map.of())) {
            int port = served.listener.address().getPort();

            assertThatThrownBy(() -> ListenerFixture.echoing(Map.of("port", port)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("'port'");
        }
    }
}
