package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a peer's {@code traceparent} is taken. */
class TraceParentTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String VALID = "00-" + TRACE + "-" + SPAN + "-01";

    @Test
    void fieldsAreRead() {
        var trace = TraceParent.read(VALID);

        assertThat(trace.isPresent()).isTrue();
        assertThat(trace).hasToString(VALID).isEqualTo(TraceParent.of(TRACE, SPAN, "01"));
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(trace.spanId()).isEqualTo(SPAN);
        assertThat(trace.flags()).isEqualTo("01");
    }

    @Test
    void absentTraceHasNoFields() {
        assertThat(TraceParent.NONE.isPresent()).isFalse();
        assertThat(TraceParent.NONE.traceId() + TraceParent.NONE.spanId() + TraceParent.NONE.flags())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"as it is, ''", "with more behind it, -and-more"})
    void laterVersionIsReadLikeTheKnownOne(String name, String more) {
        assertThat(TraceParent.read("cc-" + TRACE + "-" + SPAN + "-01" + more)).isEqualTo(new TraceParent(VALID));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "nothing, ''",
        "too short, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "too long for version 00, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "more that is not set apart, cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
        "version ff, ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "trace of zeros, 00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "span of zeros, 00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "capitals, 00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01",
        "other letters, 00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "other separators, 00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
    })
    void invalidHeaderIsIgnored(String name, String traceparent) {
        assertThat(TraceParent.read(traceparent)).isEqualTo(TraceParent.NONE);
    }

    @Test
    void invalidHeaderIsRejectedByTheConstructor() {
        assertThatThrownBy(() -> new TraceParent("00-nonsense"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'00-nonsense' is no 'traceparent'");
    }
}
