package io.mcpbridge.engine.upstream.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class CursorTrackerTest {
    private final ListPager.CursorTracker trail = new ListPager.CursorTracker("tools");

    @Test
    void overlongCursorIsRejected() {
        var page = page("\"" + "c".repeat(16_384) + "\"");

        assertThatThrownBy(() -> trail.next(page))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(
                        "its list of tools has a cursor of 16386 characters, but at most 16384 are taken");
    }

    @Test
    void repeatedLongCursorIsTruncatedInTheError() {
        var page = page("\"" + "c".repeat(10_000) + "\"");
        var unusedNext = trail.next(page);

        assertThatThrownBy(() -> trail.next(page))
                .isInstanceOf(ProtocolException.class)
                .satisfies(rejected -> assertThat(rejected.getMessage())
                        .contains("c… came again")
                        .hasSizeLessThan(200));
    }

    private static ListPager.CursorTracker.Page page(String cursor) {
        var result = "{\"tools\":[],\"nextCursor\":%s}".formatted(cursor);
        return ListPager.CursorTracker.Page.of(Response.result(MessageId.of(1), result), "tools", ListLimits.DEFAULTS);
    }
}
