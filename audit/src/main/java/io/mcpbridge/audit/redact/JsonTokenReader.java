package io.mcpbridge.audit.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tokens of one JSON text with their exact positions, so that a token can be replaced and all other
 * characters stay. Jackson checks the grammar; each position follows from the previous token. For one thread.
 */
final class JsonTokenReader {
    /** Without limits of its own, since the caller bounds the text. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            // Clients choose the keys: a symbol table of them would only grow.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final String json;
    private final JsonParser parser;
    private int start;
    private int end;
    private int depth;
    private boolean hasValue;

    /** Makes a reader at the beginning of {@code json}. */
    public JsonTokenReader(String json) {
        this.json = json;
        try {
            this.parser = FACTORY.createParser(json.toCharArray());
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory failed", e);
        }
    }

    /**
     * Reads the next token; returns null at the end of the text.
     *
     * @throws MalformedJsonException if the text is not JSON from here on; {@link #start} is the position of the token
     *     that could not be read
     */
    public @Nullable JsonToken next() {
        start = afterSeparators(end);
        try {
            var token = parser.nextToken();
            if (depth == 0 && (token == null) != hasValue) {
                throw new MalformedJsonException(token == null);
            }
            if (token != null) {
                if (token == JsonToken.VALUE_STRING) {
                    parser.finishToken();
                }
                hasValue = true;
                end = endOf(token);
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            return token;
        } catch (JsonProcessingException e) {
            throw new MalformedJsonException(isCut(e));
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory failed", e);
        }
    }

    /** The position of the first character of the token. */
    public int start() {
        return start;
    }

    /** The position after the last character of the token. */
    public int end() {
        return end;
    }

    /** The characters of the token in the text. */
    public String raw() {
        return json.substring(start, end);
    }

    /** The decoded text of a key or a string. */
    public String text() {
        try {
            return parser.getText();
        } catch (IOException e) {
            throw new IllegalStateException("a token that was read has no text", e);
        }
    }

    private int afterSeparators(int from) {
        int at = from;
        while (at < json.length() && " \t\r\n,:".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private int endOf(JsonToken token) {
        return switch (token) {
            case FIELD_NAME, VALUE_STRING -> endOfString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> endOfWord();
            default -> start + 1;
        };
    }

    private int endOfString() {
        int at = start + 1;
        while (json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private int endOfWord() {
        int at = start;
        while (at < json.length() && isOfWord(json.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Whether a character may be part of a number or a literal. */
    private static boolean isOfWord(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
    }

    /** Whether the failure is an early end of the text, such as within a number or a literal. */
    private boolean isCut(JsonProcessingException e) {
        int lastWord = json.length();
        while (lastWord > start && isOfWord(json.charAt(lastWord - 1))) {
            lastWord--;
        }
        return e instanceof JsonEOFException
                || (lastWord < json.length() && e.getLocation().getCharOffset() >= lastWord);
    }

    /** Thrown if a text is not JSON. */
    static final class MalformedJsonException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final boolean isCut;

        MalformedJsonException(boolean isCut) {
            super("the text is not JSON");
            this.isCut = isCut;
        }

        /** Whether the text is valid so far and only its end is missing. */
        public boolean isCut() {
            return isCut;
        }
    }
}
