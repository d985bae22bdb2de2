package io.mcpbridge.tool;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A progress notification of a call.
 *
 * @param json the params of {@code notifications/progress}
 */
public record Progress(Json json) {

    /** The progress so far, which grows with each report; 0 if the server sent no number. */
    public double progress() {
        return json.number("progress").map(BigDecimal::doubleValue).orElse(0.0);
    }

    /** The value of {@link #progress()} on completion, if the server knows it. */
    public OptionalDouble total() {
        var total = json.number("total");
        return total.isPresent() ? OptionalDouble.of(total.get().doubleValue()) : OptionalDouble.empty();
    }

    /** A message for people. */
    public Optional<String> message() {
        return json.string("message");
    }
}
