package io.mcpbridge.audit.record;

import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Makes records of events, with what is secret taken out. One thread at a time: the writer of a sink.
 *
 * <p>Each method takes the time at which the sink was told. None waits, and none fails whatever an event holds.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class AuditRecords {

    private AuditRecords() {}

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section; mistakes are noted there, so
     * {@link Settings#finish} comes after this. Without {@code redact.key} the key is one of this process alone.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the key cannot be used
     */
    public static AuditRecords of(Settings audit, Environment environment) {
        throw new UnsupportedOperationException();
    }

    /** The same, where without {@code redact.key} the key lies in this file, which is made if it is missing. */
    public static AuditRecords of(Settings audit, Environment environment, Path keyFile) {
        throw new UnsupportedOperationException();
    }

    /** A call begins. */
    public RecordBody enter(ToolEnter event, Instant time) {
        throw new UnsupportedOperationException();
    }

    /** A call has ended. */
    public RecordBody exit(ToolExit event, Instant time) {
        throw new UnsupportedOperationException();
    }

    /** A call was turned away. */
    public RecordBody denied(ToolDenied event, Instant time) {
        throw new UnsupportedOperationException();
    }

    /** Something else happened. */
    public RecordBody note(AuditNote note, Instant time) {
        throw new UnsupportedOperationException();
    }

    /** The exit of a call that an earlier process began and did not end: nobody knows what became of it. */
    public RecordBody inDoubt(AuditLine enter, Instant time) {
        throw new UnsupportedOperationException();
    }
}
