package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAddressTest {

    @Test
    void portAloneMeansLoopback() {
        assertThat(ServeCommand.HttpAddress.parse("7450")).isEqualTo(new ServeCommand.HttpAddress("127.0.0.1", 7450));
    }

    @Test
    void hostMayPrecedeThePort() {
        assertThat(ServeCommand.HttpAddress.parse("localhost:0"))
                .isEqualTo(new ServeCommand.HttpAddress("localhost", 0));
        assertThat(ServeCommand.HttpAddress.parse("[::1]:80")).isEqualTo(new ServeCommand.HttpAddress("[::1]", 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", "1:2:3", "65536", "-1", "host:http"})
    void otherAddressesAreRejected(String text) {
        assertThatThrownBy(() -> ServeCommand.HttpAddress.parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
