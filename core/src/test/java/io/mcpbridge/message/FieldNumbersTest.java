package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The numbers under which the parts of a message are kept. */
class FieldNumbersTest {

    @Test
    void allFieldsFitIntoOneLong() {
        assertThat(FieldNumbers.COUNT).isLessThanOrEqualTo(Long.SIZE);
    }

    @Test
    void lastFieldIsFound() {
        var spans = new Spans();
        spans.set(FieldNumbers.COUNT - 1, 3, 5);
        spans.set(0, 1, 2);

        assertThat(spans.next(1)).isEqualTo(FieldNumbers.COUNT - 1);
        assertThat(spans.start(FieldNumbers.COUNT - 1)).isEqualTo(3);
        assertThat(spans.end(FieldNumbers.COUNT - 1)).isEqualTo(5);
        assertThat(spans.next(FieldNumbers.COUNT)).isEqualTo(Spans.NONE);
    }
}
