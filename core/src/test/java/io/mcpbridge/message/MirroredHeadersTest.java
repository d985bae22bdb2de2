package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MirroredHeadersTest {
    private static final String PARAMS = "{\"name\":\"n\",\"uri\":\"file:///u\",\"taskId\":\"t\"}";

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "tools/call, n",
        "prompts/get, n",
        "resources/read, file:///u",
        "tasks/get, t",
        "tasks/update, t",
        "tasks/cancel, t",
        "tools/list, ''",
        "completion/complete, ''",
    })
    void nameDependsOnTheMethod(String method, String name) {
        var request = Request.of(MessageId.of(1), method, PARAMS);

        assertThat(MirroredHeaders.method(request)).contains(method);
        assertThat(MirroredHeaders.name(request).orElse("")).isEqualTo(name);
    }

    @Test
    void notificationsAndResponsesHaveNoName() {
        var notification = Notification.of(Methods.CANCELLED, PARAMS);

        assertThat(MirroredHeaders.method(notification)).contains(Methods.CANCELLED);
        assertThat(MirroredHeaders.name(notification)).isEmpty();
        assertThat(MirroredHeaders.method(Response.result(MessageId.of(1), "{}")))
                .isEmpty();
    }
}
