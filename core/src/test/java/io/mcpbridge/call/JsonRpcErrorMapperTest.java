package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonRpcErrorMapperTest {
    private final Failure gone =
            Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "gone").withServer("github");

    @ParameterizedTest(name = "A6: a timeout with delivery {0} and harmless {1} is retryable: {2}")
    @CsvSource({"NOT_SENT, false, true", "UNKNOWN, false, false", "UNKNOWN, true, true"})
    void timeoutIsRetryableUnlessTheCallMayHaveRunAndIsNotHarmless(
            Delivery delivery, boolean isHarmless, boolean mayBeRepeated) {
        var late = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out").withDelivery(delivery);
        var told = JsonRpcErrorMapper.toResponse(MessageId.of(1), isHarmless ? late.withHarmless() : late, "c-1");

        assertThat(late.retryable()).isTrue();
        assertThat(told.json()).contains("\"retryable\":" + mayBeRepeated);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"bridge\":{\"origin\":\"mcp-bridge\",\"reason\":\"audit_unavailable\"}} | AUDIT_UNAVAILABLE | the bridge refused it: no",
                "{\"bridge\":{\"origin\":\"mcp-bridge\",\"reason\":\"overloaded\"}} | SERVER_ERROR | the bridge answered with error -31007: no",
                "{\"bridge\":{\"reason\":\"audit_unavailable\"}} | SERVER_ERROR | the server answered with error -31007: no",
                "{\"serverError\":{\"bridge\":{\"origin\":\"mcp-bridge\",\"reason\":\"audit_unavailable\"}}} | SERVER_ERROR | the server answered with error -31007: no",
                "[{\"bridge\":{\"origin\":\"mcp-bridge\"}}] | SERVER_ERROR | the server answered with error -31007: no",
                "{\"a\":1,\"a\":2,\"bridge\":{\"origin\":\"mcp-bridge\"}} | SERVER_ERROR | the server answered with error -31007: no",
            })
    void bridgeDataIsTrustedOnlyFromThePeerItself(String data, ErrorCode code, String message) {
        var failure = JsonRpcErrorMapper.ofCaller(Response.error(MessageId.of(1), -31007, "no", data));

        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.message()).isEqualTo(message);
    }

    @ParameterizedTest(name = "{0} {1}, harmless {2}: {3}, retryable {4}")
    @CsvSource({
        "PROVIDER_UNAVAILABLE, NOT_SENT, false, SERVER_ERROR, true",
        "PROVIDER_TIMEOUT, UNKNOWN, false, SERVER_ERROR, false",
        "PROVIDER_TIMEOUT, UNKNOWN, true, SERVER_ERROR, true",
        "IN_DOUBT, UNKNOWN, false, IN_DOUBT, false",
        "UPSTREAM_INVALID, ANSWERED, false, SERVER_ERROR, false",
        "AUDIT_UNAVAILABLE, NOT_SENT, false, AUDIT_UNAVAILABLE, true",
    })
    void programLearnsWhatItsBridgeKnowsOfTheCall(
            ErrorCode code, Delivery delivery, boolean isHarmless, ErrorCode known, boolean isRetryable) {
        var failure = Failure.of(code, "no").withDelivery(delivery).withRetryAfter(Duration.ofSeconds(2));
        var told = JsonRpcErrorMapper.toResponse(MessageId.of(1), isHarmless ? failure.withHarmless() : failure, "c-1");

        var read = JsonRpcErrorMapper.ofCaller(told);

        assertThat(read.code()).isEqualTo(known);
        assertThat(read.delivery()).isEqualTo(delivery);
        assertThat(read.retryable()).isEqualTo(isRetryable);
        assertThat(read.isHarmless()).isEqualTo(isHarmless);
        assertThat(read.retryAfter()).contains(Duration.ofSeconds(2));
        assertThat(read.serverError().orElseThrow().code()).isEqualTo(code.jsonRpcCode());
    }

    @Test
    void unsentCallIsRetryable() {
        var told =
                JsonRpcErrorMapper.toResponse(MessageId.of("mine"), gone, "c-1").json();

        assertThat(told)
                .contains("\"id\":\"mine\"", "\"code\":-31002", "\"origin\":\"mcp-bridge\"", "\"server\":\"github\"")
                .contains("\"delivery\":\"not_sent\"", "\"retryable\":true", "\"correlationId\":\"c-1\"");
    }

    @Test
    void callThatMayHaveRunIsNotRetryable() {
        var told = JsonRpcErrorMapper.toResponse(MessageId.of(1), gone.withDelivery(Delivery.UNKNOWN), "c-1")
                .json();

        assertThat(told).contains("\"delivery\":\"unknown\"", "\"retryable\":false");
    }

    @Test
    void serverErrorIsInTheData() {
        var invalid = Failure.of(ErrorCode.UPSTREAM_INVALID, "broke the protocol")
                .withServerError(new ServerError(-32021, "as \"I\" please", "{\"my\":1}"));

        var told =
                JsonRpcErrorMapper.toResponse(MessageId.of(1), invalid, "c-1").json();

        assertThat(told)
                .contains("\"code\":-31010", "\"serverError\":{\"code\":-32021,\"message\":\"as \\\"I\\\" please\"}");
    }

    @Test
    void serverErrorKeepsItsCode() {
        var error = Failure.of(ErrorCode.SERVER_ERROR, "no").withServerError(new ServerError(-32099, "no", ""));

        var told = JsonRpcErrorMapper.toResponse(MessageId.of(1), error, "c-1").json();

        assertThat(told).contains("\"code\":-32099").doesNotContain("serverError");
    }

    @Test
    void unreadableIdIsOmitted() {
        var told = JsonRpcErrorMapper.toResponse(gone).json();

        assertThat(told).doesNotContain("\"id\"");
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void errorCodeOfMegabytesBecomesAnInternalErrorAtOnce() {
        var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":%s,\"message\":\"no\"}}"
                .formatted("9".repeat(4 << 20));
        var error = (Response) Message.scan(json.getBytes(StandardCharsets.UTF_8), Limits.SERVER);

        var failure = JsonRpcErrorMapper.toFailure(error);

        assertThat(failure.serverError().orElseThrow().code()).isEqualTo(-32603);
    }
}
