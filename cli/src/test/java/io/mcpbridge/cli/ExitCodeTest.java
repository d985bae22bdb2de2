package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.failure.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The documented exit codes, for local failures and for errors of a daemon. */
class ExitCodeTest {

    @Test
    void invalidConfigurationIsAUsageError() {
        assertThat(ExitCode.of(ConfigurationException.of("wrong"))).isEqualTo(2);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "PROVIDER_INIT_FAILED, 3",
        "PROVIDER_UNAVAILABLE, 3",
        "PROVIDER_CRASHED, 3",
        "PROVIDER_TIMEOUT, 4",
        "IN_DOUBT, 1",
        "OVERLOADED, 1",
        "SHUTTING_DOWN, 1",
        "UPSTREAM_INVALID, 1",
        "INVALID_PARAMS, 1"
    })
    void exitCodesAreTheSameLocallyAndThroughTheDaemon(ErrorCode code, int exitCode) {
        var here = Failure.of(code, "what failed");
        var relayed = Failure.of(ErrorCode.SERVER_ERROR, "the daemon says so")
                .withServerError(new ServerError(code.jsonRpcCode(), "what failed", "{}"));

        assertThat(ExitCode.of(CallException.of(here))).isEqualTo(exitCode);
        assertThat(ExitCode.of(CallException.of(relayed))).isEqualTo(exitCode);
    }

    @Test
    void handshakeTimeoutIsATimeout() {
        var failure = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "the handshake was given up: timed out");

        assertThat(ExitCode.of(TransportException.of(failure))).isEqualTo(4);
    }

    @Test
    void inDoubtAfterATimeoutIsATimeout() {
        var here = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out").withCode(ErrorCode.IN_DOUBT);
        var relayed = Failure.of(ErrorCode.SERVER_ERROR, "the daemon says so")
                .withServerError(new ServerError(
                        ErrorCode.IN_DOUBT.jsonRpcCode(), "", "{\"bridge\":{\"cause\":\"provider_timeout\"}}"));

        assertThat(ExitCode.of(CallException.of(here))).isEqualTo(4);
        assertThat(ExitCode.of(CallException.of(relayed))).isEqualTo(4);
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(strings = {"", "no JSON", "[]", "{\"bridge\":7}", "{\"bridge\":{\"cause\":\"provider_crashed\"}}"})
    void inDoubtForAnotherCauseIsAToolError(String data) {
        var relayed = Failure.of(ErrorCode.SERVER_ERROR, "the daemon says so")
                .withServerError(new ServerError(ErrorCode.IN_DOUBT.jsonRpcCode(), "", data));

        assertThat(ExitCode.of(CallException.of(relayed))).isEqualTo(1);
    }
}
