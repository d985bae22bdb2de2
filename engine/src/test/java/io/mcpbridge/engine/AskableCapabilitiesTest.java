package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.JsonStrings;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Client capabilities are normalized, so that their notation creates no further server sessions. */
class AskableCapabilitiesTest {
    private final ClientBench bench = new ClientBench();

    static Stream<Arguments> declared() {
        return Stream.of(
                Arguments.argumentSet("nothing", "{}", "{}"),
                Arguments.argumentSet(
                        "everything in another order",
                        "{\"sampling\":{\"tools\":{},\"context\":{}},\"roots\":{\"listChanged\":true},"
                                + "\"elicitation\":{\"url\":{},\"form\":{}}}",
                        "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{\"listChanged\":true},"
                                + "\"sampling\":{\"context\":{},\"tools\":{}}}"),
                Arguments.argumentSet(
                        "a text of the client's own",
                        "{\"roots\":{\"x\":\"17\"},\"sampling\":{\"tools\":{\"n\":18}},\"experimental\":{\"y\":1}}",
                        "{\"roots\":{},\"sampling\":{\"tools\":{}}}"),
                Arguments.argumentSet(
                        "what is no object",
                        "{\"roots\":{\"listChanged\":false},\"sampling\":null,\"elicitation\":{\"url\":null}}",
                        "{\"elicitation\":{},\"roots\":{}}"));
    }

    @ParameterizedTest
    @MethodSource("declared")
    void clientCapabilitiesAreReducedToSpecifiedMembers(String said, String canonical) {
        var client = bench.stream();
        ClientBench.say(client, ClientBench.INITIALIZE.replace("{\"elicitation\":{}}", said));
        ClientBench.call(client, JsonStrings.quote("1"));

        assertThat(bench.calls.get(0).caller().capabilities()).isEqualTo(canonical);
    }
}
