package io.mcpbridge.transport.http.client;

import org.jspecify.annotations.Nullable;

/**
 * One server-sent event.
 *
 * @param type the {@code event} field, {@code message} by default
 * @param id the id of this event, or null if it has none
 * @param data the bytes of all {@code data} lines; the receiver owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
record SseEvent(String type, @Nullable String id, byte[] data) {

    boolean isMessage() {
        return type.equals("message") && data.length > 0;
    }
}
