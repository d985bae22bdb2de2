package io.mcpbridge.transport.http.client;

import org.jspecify.annotations.Nullable;

/**
 * One event of an event stream.
 *
 * @param type what {@code event:} says, {@code message} where it says nothing
 * @param id the id that this event carries, or null if it carries none
 * @param data the bytes of all {@code data:} lines; the receiver owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
record ServerEvent(String type, @Nullable String id, byte[] data) {

    boolean isMessage() {
        return type.equals("message") && data.length > 0;
    }
}
