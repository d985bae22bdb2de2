package io.mcpbridge.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class PageTrailTest {
    private final PageTrail trail = new PageTrail("tools");

    @Test
    void aCursorThatIsTooLongToBeKeptIsRefused() {
        var page = page("\"" + "c".repeat(16_384) + "\"");

        assertThatThrownBy(() -> trail.next(page))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(
                        "its list of tools has a cursor of 16386 characters, but at most 16384 are taken");
    }

    @Test
    void aLongCursorThatComesAgainIsNotShownInFull() {
        var page = page("\"" + "c".repeat(10_000) + "\"");
        var unusedNext = trail.next(page);

        assertThatThrownBy(() -> trail.next(page))
                .isInstanceOf(ProtocolException.class)
                .satisfies(refused -> assertThat(refused.getMessage())
                        .contains("c… came again")
                        .hasSizeLessThan(200));
    }

    private static ListPage page(String cursor) {
        var result = "{\"tools\":[],\"nextCursor\":%s}".formatted(cursor);
        return ListPage.of(Response.result(MessageId.of(1), result), "tools", ListLimits.DEFAULTS);
    }
}
