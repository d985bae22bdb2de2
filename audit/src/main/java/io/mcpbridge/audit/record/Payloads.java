package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.audit.record.ToolDefinitionCache.Definition;
import io.mcpbridge.audit.redact.RedactedValues;
import io.mcpbridge.audit.redact.Redaction;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Adds arguments and results to records, with their hashes and sizes, as far as the level and redaction allow. Values
 * redacted in the arguments of a call are redacted in its response too. Any thread may use it.
 */
final class Payloads {
    /** The most bytes of a text that its hash covers. A longer text has a note of that number. */
    private static final int MAX_HASHED = 1 << 20;

    private final Redaction redaction;
    private final boolean showsOpenWorld;
    private final OpenCallValues hidden = new OpenCallValues();

    /** @param showsOpenWorld whether records show results of tools that reach beyond their server */
    Payloads(Redaction redaction, boolean showsOpenWorld) {
        this.redaction = redaction;
        this.showsOpenWorld = showsOpenWorld;
    }

    /** Adds the arguments; returns whether they are truncated. */
    boolean arguments(RecordJsonBuilder draft, ToolEnter event, RecordSettings.Level level, Definition definition) {
        boolean isCut = false;
        if (level != RecordSettings.Level.METADATA) {
            var values = new RedactedValues();
            var shown = redaction.arguments(event.arguments(), definition.arguments(), values);
            hidden.entered(event.call().correlationId(), values);
            draft.put("arguments", shown.text());
            isCut = shown.isTruncated();
        }
        Part.ARGUMENTS.add(redaction, draft, ByteBuffer.wrap(event.arguments().getBytes(UTF_8)));
        return isCut;
    }

    /** A part of a call of which each record has the hash and the size; the keys of its members. */
    private record Part(String hash, String hashed, String size) {
        static final Part ARGUMENTS = of("arguments");
        static final Part ERROR = of("error");
        static final Part RESULT = of("result");

        static Part of(String key) {
            return new Part(key + "Hash", key + "Hashed", key + "Size");
        }

        void add(Redaction redaction, RecordJsonBuilder draft, ByteBuffer utf8) {
            int bytes = utf8.remaining();
            boolean isLong = bytes > MAX_HASHED;
            draft.put(hash, redaction.hashOf(isLong ? utf8.slice(utf8.position(), MAX_HASHED) : utf8));
            if (isLong) {
                draft.put(hashed, MAX_HASHED);
            }
            draft.put(size, bytes);
        }
    }

    /** The parts of the response that a record may show; call it once for each exit. */
    Answer answer(ToolExit event, RecordSettings.Level level, Definition definition) {
        if (level == RecordSettings.Level.METADATA) {
            return new Answer(redaction, definition, false, false);
        }
        // Without all redacted values, the response cannot be searched for them.
        var values = hidden.ended(event.call().correlationId());
        var showsResult = level == RecordSettings.Level.RESULT && (definition.isClosed() || showsOpenWorld);
        return new Answer(
                values.map(redaction::hiding).orElse(redaction),
                definition,
                values.isPresent(),
                values.isPresent() && showsResult);
    }

    /** A response, without the values that were redacted in the arguments. */
    record Answer(Redaction redaction, Definition definition, boolean showsError, boolean showsResult) {

        /** Adds the message of an error, if there is one. */
        void error(RecordJsonBuilder draft, String error) {
            if (error.isEmpty()) {
                return;
            }
            if (showsError) {
                draft.put("error", redaction.text(error));
            }
            Part.ERROR.add(redaction, draft, ByteBuffer.wrap(error.getBytes(UTF_8)));
        }

        /** Adds the result, if there is one; returns whether it is truncated. */
        boolean result(RecordJsonBuilder draft, Response response) {
            int start = response.start(MessageField.RESULT);
            if (start < 0) {
                return false;
            }
            boolean isCut = false;
            var result = response.bytes().slice(start, response.end(MessageField.RESULT) - start);
            if (showsResult) {
                var searched = result.slice(0, Math.min(result.remaining(), MAX_HASHED));
                var shown = redaction.result(UTF_8.decode(searched).toString(), definition.result());
                draft.put("result", shown.text());
                isCut = shown.isTruncated();
            }
            Part.RESULT.add(redaction, draft, result);
            return isCut;
        }
    }

    /**
     * The values redacted from the arguments of open calls. It has only calls whose arguments were searched completely,
     * and evicts the oldest ones beyond its limit. Any thread.
     */
    private static final class OpenCallValues {
        private static final int MAX_CALLS = 4_096;
        private static final int MAX_CHARACTERS = 4 << 20;
        private static final RedactedValues NOTHING = new RedactedValues();

        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final LinkedHashMap<String, RedactedValues> byCall = new LinkedHashMap<>();

        @GuardedBy("lock")
        private final LinkedHashSet<String> withNothing = new LinkedHashSet<>();

        @GuardedBy("lock")
        private int characters;

        void entered(String correlationId, RedactedValues values) {
            lock.lock();
            try {
                var unused = remove(correlationId);
                if (values.isComplete()) {
                    add(correlationId, values);
                }
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void add(String correlationId, RedactedValues values) {
            if (values.isEmpty()) {
                withNothing.add(correlationId);
            } else {
                byCall.put(correlationId, values);
                characters += values.characters();
            }
            forgetEldest();
        }

        @GuardedBy("lock")
        private void forgetEldest() {
            if (withNothing.size() > MAX_CALLS) {
                withNothing.remove(withNothing.iterator().next());
            }
            while (byCall.size() > MAX_CALLS || characters > MAX_CHARACTERS) {
                var unused = forget(byCall.keySet().iterator().next());
            }
        }

        /** Removes and returns the values of a call that has ended; empty if they are unknown. */
        Optional<RedactedValues> ended(String correlationId) {
            lock.lock();
            try {
                return remove(correlationId);
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private Optional<RedactedValues> remove(String correlationId) {
            return withNothing.remove(correlationId) ? Optional.of(NOTHING) : forget(correlationId);
        }

        @GuardedBy("lock")
        private Optional<RedactedValues> forget(String correlationId) {
            var values = Optional.ofNullable(byCall.remove(correlationId));
            values.ifPresent(each -> characters -= each.characters());
            return values;
        }
    }
}
