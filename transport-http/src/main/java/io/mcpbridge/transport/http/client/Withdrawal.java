package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;

/** What the withdrawal of a {@link Post} has come to. */
enum Withdrawal {
    NOT_SENT,
    MAYBE_SENT,
    TOO_LATE;

    Delivery delivery() {
        return this == NOT_SENT ? Delivery.NOT_SENT : Delivery.UNKNOWN;
    }
}
