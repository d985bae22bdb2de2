package io.mcpbridge.peers;

import io.mcpbridge.testkit.Eventually;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A client at the daemon that has the same conversation with each server of {@link MatrixContract}. */
interface MatrixClient extends AutoCloseable {
    /** What comes and goes when the tools of a server change. */
    String COMER = "test_tool_that_comes_and_goes";

    /** Holds the conversation with the server of this name and returns what was seen. */
    Seen converse(String server) throws Exception;

    @Override
    void close();

    /**
     * What one client saw of one server.
     *
     * @param said the answer to a call
     * @param answered the response to a call with a server request
     * @param progress the reported progress of the call
     * @param withdrawal how the cancelled call ended
     * @param reached how its end looked to the server
     * @param come whether it was notified of a change of the tools and saw one more
     * @param gone whether it was notified again and no longer saw that one
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

    /** Waits until the condition holds, and returns true. */
    static boolean awaitTrue(BooleanSupplier condition) {
        Eventually.holds("a change of the tools", condition);
        return true;
    }
}
