package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerErrorHealingTest {

    @ParameterizedTest
    @CsvSource({
        "-32603, true",
        "-32001, true",
        "-32000, true",
        "-32600, false",
        "-32601, false",
        "-32602, false",
        "-32700, false",
        "-32002, false",
        "-32022, false",
        "-31002, false",
        "42, false"
    })
    void errorCodeDecidesWhetherACallIsRetryable(int code, boolean retryable) {
        var failure = JsonRpcErrorMapper.toFailure(Response.error(MessageId.of(1), code, "no"));

        assertThat(failure.retryable()).isEqualTo(retryable);
        assertThat(failure.code()).isEqualTo(ErrorCode.SERVER_ERROR);
        assertThat(failure.delivery()).isEqualTo(Delivery.ANSWERED);
    }

    @Test
    void errorAfterAllRetriesIsReported() {
        var failure = JsonRpcErrorMapper.toFailure(Response.error(MessageId.of(1), -32603, "no"));

        assertThat(CallException.of(failure.withAttempts(3)))
                .hasMessageStartingWith("failed after all retries (3 attempts)");
    }
}
