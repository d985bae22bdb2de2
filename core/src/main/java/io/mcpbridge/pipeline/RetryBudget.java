package io.mcpbridge.pipeline;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Reading;
import java.util.List;

/**
 * Bounds the share of repeated attempts among all those of one server, so that repeating does not keep a server down
 * that is down. Shared by all callers of the server; any thread.
 */
public interface RetryBudget {

    /** Pays for whatever is asked, as for a connection that has one caller. */
    RetryBudget UNLIMITED = new RetryBudget() {
        @Override
        public boolean pays(Failure why) {
            return true;
        }

        @Override
        public void succeeded() {}

        @Override
        public List<Reading> readings() {
            return List.of();
        }
    };

    /** Takes what a repetition costs after an attempt that failed so; false, and nothing taken, if there is too little. */
    boolean pays(Failure why);

    /** An attempt was answered with a result. */
    void succeeded();

    /** What is left. */
    List<Reading> readings();
}
