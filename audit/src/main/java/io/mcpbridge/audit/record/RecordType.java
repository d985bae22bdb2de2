package io.mcpbridge.audit.record;

import java.util.Optional;
import java.util.stream.Stream;

/** The type of a record, which is the {@code type} of its CloudEvent. */
public enum RecordType {
    /** A call is about to be dispatched. */
    ENTER("io.mcpbridge.tool.call.enter"),
    /** A call has ended. */
    EXIT("io.mcpbridge.tool.call.exit"),
    /** A call was denied. */
    DENIED("io.mcpbridge.tool.call.denied"),
    /** A note. */
    NOTE("io.mcpbridge.audit.note");

    private final String word;

    RecordType(String word) {
        this.word = word;
    }

    /** The {@code type} of the CloudEvent. */
    public String word() {
        return word;
    }

    static Optional<RecordType> of(String word) {
        return Stream.of(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
