package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import org.junit.jupiter.api.Test;

class RequestDigestsTest {
    private final RequestDigests digests = new RequestDigests();

    @Test
    void digestDependsOnTheValuesAndNotOnTheirNotation() {
        var plain = digest("{\"name\":\"get\",\"arguments\":{\"a\":1,\"b\":[true]}}");

        assertThat(digest("{\"arguments\": {\"b\": [true], \"a\": 1.0}, \"name\": \"g\\u0065t\"}"))
                .isEqualTo(plain);
        assertThat(digest("{\"name\":\"get\",\"_meta\":{\"progressToken\":7},\"arguments\":{\"a\":1,\"b\":[true]}}"))
                .isEqualTo(plain);
        assertThat(digest("{\"name\":\"get\",\"arguments\":{\"a\":2,\"b\":[true]}}"))
                .isNotEqualTo(plain);
        assertThat(digest("{\"name\":\"got\",\"arguments\":{\"a\":1,\"b\":[true]}}"))
                .isNotEqualTo(plain);
    }

    @Test
    void cachedDigestEqualsAFreshOne() {
        var params = "{\"name\":\"größe\",\"_meta\":{\"progressToken\":7},\"arguments\":{\"ß\":\"ü\"}}";

        assertThat(digest(params)).isEqualTo(digest(params)).isEqualTo(new RequestDigests().of(request(params)));
    }

    @Test
    void requestWithoutParamsEqualsOneWithEmptyParams() {
        assertThat(digests.of(Request.of(MessageId.of(1), "tools/list")))
                .isEqualTo(digests.of(Request.of(MessageId.of(2), "tools/list", "{}")));
    }

    @Test
    void digestsBeyondTheCacheSizeAreCorrect() {
        var first = digest("{\"number\":0}");
        for (int i = 0; i < 1_000; i++) {
            digest("{\"number\":%d}".formatted(i));
        }

        assertThat(digest("{\"number\":0}")).isEqualTo(first);
    }

    @Test
    void numberWithoutACanonicalFormIsDigestedAsWritten() {
        var digest = digest("{\"n\":100e2147483647}");

        assertThat(digest("{\"_meta\":{},\"n\":100e2147483647}")).hasSameSizeAs(digest);
        assertThat(digest("{\"n\":10e2147483647}")).isNotEqualTo(digest);
    }

    private String digest(String params) {
        return digests.of(request(params));
    }

    private static Request request(String params) {
        return Request.of(MessageId.of(1), "tools/call", params);
    }
}
