package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.Definitions.Definition;
import io.mcpbridge.audit.redact.HiddenValues;
import io.mcpbridge.audit.redact.Redaction;
import io.mcpbridge.audit.redact.Shown;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.nio.ByteBuffer;

/**
 * Puts into records what may be shown of arguments and answers, with their hashes and sizes. What was hidden in the
 * arguments of a call is hidden in its answer too. One thread at a time.
 */
final class Payloads {
    private final Redaction redaction;
    private final boolean showsOpenWorld;
    private final HiddenArguments hidden = new HiddenArguments();

    /** @param showsOpenWorld whether results are shown of tools that reach beyond their server */
    Payloads(Redaction redaction, boolean showsOpenWorld) {
        this.redaction = redaction;
        this.showsOpenWorld = showsOpenWorld;
    }

    /** Puts the arguments; whether they were cut. */
    boolean arguments(RecordDraft draft, ToolEnter event, RecordLevel level, Definition definition) {
        var isCut = level != RecordLevel.METADATA && shownArguments(draft, event, definition);
        hashed(draft, event.arguments());
        return isCut;
    }

    private boolean shownArguments(RecordDraft draft, ToolEnter event, Definition definition) {
        var values = new HiddenValues();
        var shown = redaction.arguments(event.arguments(), definition.arguments(), values);
        hidden.entered(event.correlationId(), values);
        return show(draft, Member.ARGUMENTS, shown);
    }

    /** Puts the hash and the size of arguments; those of short ones with one look. */
    private void hashed(RecordDraft draft, String arguments) {
        if (arguments.length() > Utf8Length.SHORT) {
            draft.putPlain(Member.ARGUMENTS_HASH, redaction.hashOf(arguments))
                    .put(Member.ARGUMENTS_SIZE, Utf8Length.of(arguments));
            return;
        }
        var utf8 = arguments.getBytes(UTF_8);
        draft.putPlain(Member.ARGUMENTS_HASH, redaction.hashOf(ByteBuffer.wrap(utf8)))
                .put(Member.ARGUMENTS_SIZE, utf8.length);
    }

    /** What may be shown of the answer to a call; asked once. */
    Answer answer(ToolExit event, RecordLevel level, Definition definition) {
        if (level == RecordLevel.METADATA) {
            return new Answer(redaction, definition, false, false);
        }
        // What nobody has seen as a whole cannot be found in the answer.
        var values = hidden.ended(event.correlationId());
        var showsResult = level == RecordLevel.RESULT && (definition.isClosed() || showsOpenWorld);
        return new Answer(
                values.map(redaction::hiding).orElse(redaction),
                definition,
                values.isPresent(),
                values.isPresent() && showsResult);
    }

    /** Puts a text; whether it was cut. */
    private static boolean show(RecordDraft draft, Member member, Shown shown) {
        draft.put(member, shown.text());
        return shown.truncated();
    }

    /** One answer, which is shown without what was hidden in the arguments. */
    record Answer(Redaction redaction, Definition definition, boolean showsError, boolean showsResult) {

        /** Puts what is said about an error, if anything. */
        void error(RecordDraft draft, String error) {
            if (error.isEmpty()) {
                return;
            }
            if (showsError) {
                draft.put(Member.ERROR, redaction.text(error));
            }
            draft.putPlain(Member.ERROR_HASH, redaction.hashOf(error)).put(Member.ERROR_SIZE, Utf8Length.of(error));
        }

        /** Puts the result; whether it was cut. */
        boolean result(RecordDraft draft, Response response) {
            int start = response.start(Part.RESULT);
            if (start < 0) {
                return false;
            }
            int size = response.end(Part.RESULT) - start;
            var result = response.bytes().slice(start, size);
            var isCut = showsResult
                    && show(
                            draft,
                            Member.RESULT,
                            redaction.result(UTF_8.decode(result.duplicate()).toString(), definition.result()));
            draft.putPlain(Member.RESULT_HASH, redaction.hashOf(result)).put(Member.RESULT_SIZE, size);
            return isCut;
        }
    }
}
