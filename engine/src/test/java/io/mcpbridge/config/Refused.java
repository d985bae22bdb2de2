package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ConfigurationException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The mistakes that a rejection reports. */
final class Refused {

    private Refused() {}

    static List<String> problems(ThrowingCallable action) {
        var refusal = catchThrowableOfType(ConfigurationException.class, action);
        if (refusal == null) {
            throw new AssertionError("should have been refused");
        }
        return refusal.problems();
    }
}
