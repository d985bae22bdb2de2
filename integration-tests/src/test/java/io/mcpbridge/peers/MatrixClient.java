package io.mcpbridge.peers;

import io.mcpbridge.testkit.Eventually;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A client at the daemon that has the same conversation with each server of {@link MatrixContract}. */
interface MatrixClient extends AutoCloseable {
    /** What comes and goes when the tools of a server change. */
    String COMER = "test_tool_that_comes_and_goes";

    /** Has it with the server of this name and tells what was seen. */
    Seen converse(String server) throws Exception;

    @Override
    void close();

    /**
     * What one client saw of one server.
     *
     * @param said the answer to a call
     * @param answered the answer to a call during which the server asked
     * @param progress how far the call had come, as it was told
     * @param withdrawal how the call ended that was withdrawn
     * @param reached how its end looked to the server
     * @param come whether it heard that the tools had changed, and saw one more
     * @param gone whether it heard that again, and saw that one no more
     * @param failed what broke the conversation off; null if nothing did
     */
    record Seen(
            String server,
            @Nullable String said,
            @Nullable String answered,
            @Nullable List<Double> progress,
            @Nullable String withdrawal,
            @Nullable String reached,
            @Nullable Boolean come,
            @Nullable Boolean gone,
            @Nullable String failed) {}

    /** Waits until it holds, and says so. */
    static boolean comesTrue(BooleanSupplier condition) {
        Eventually.holds("a change of the tools", condition);
        return true;
    }
}
