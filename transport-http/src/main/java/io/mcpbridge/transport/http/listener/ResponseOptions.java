package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;

/**
 * The options of the response to one request.
 *
 * @param closes whether the connection closes after it
 * @param headers in addition to those of the response itself
 */
record ResponseOptions(boolean closes, MessageHeaders headers) {
    static final ResponseOptions KEEP_ALIVE = new ResponseOptions(false, MessageHeaders.EMPTY);
    static final ResponseOptions CLOSING = new ResponseOptions(true, MessageHeaders.EMPTY);

    /** The options for a response after which the connection closes. */
    ResponseOptions closing() {
        return closes ? this : new ResponseOptions(true, headers);
    }
}
