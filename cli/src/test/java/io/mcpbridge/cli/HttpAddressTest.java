package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAddressTest {

    @Test
    void aPortAloneIsOnLoopback() {
        assertThat(HttpAddress.parse("7450")).isEqualTo(new HttpAddress("127.0.0.1", 7450));
    }

    @Test
    void aHostMayStandBefore() {
        assertThat(HttpAddress.parse("localhost:0")).isEqualTo(new HttpAddress("localhost", 0));
        assertThat(HttpAddress.parse("[::1]:80")).isEqualTo(new HttpAddress("[::1]", 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", "1:2:3", "65536", "-1", "host:http"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> HttpAddress.parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
