package io.mcpbridge.testkit.contract;

import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what an audit sink says about one record. */
final class RecordingCompletion implements Completion {
    private final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void succeeded() {
        told.add("succeeded");
    }

    @Override
    public void failed(Throwable why) {
        told.add("failed: " + why);
    }

    List<String> told() {
        return List.copyOf(told);
    }

    List<String> awaitTold() {
        Eventually.holds("word about a record", () -> !told.isEmpty());
        return told();
    }
}
