package io.mcpbridge.call;

/** How a client's request came in. Any thread. */
public interface RequestOrigin {
    /** Nothing is known of it, as of a call that a program makes. */
    RequestOrigin UNKNOWN = () -> MessageHeaders.EMPTY;

    /** The headers; empty on byte streams. */
    MessageHeaders headers();

    /** Where it came from; read only by observers. */
    default Remote remote() {
        return Remote.UNKNOWN;
    }

    /**
     * Where a client's request came from, for those who watch calls.
     *
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty where that is not known
     * @param protocol what is spoken beneath the messages, such as {@code http}; empty where it is nothing
     * @param protocolVersion of that, such as {@code 1.1}, or the empty string
     * @param address the client's own, such as {@code 127.0.0.1}; empty where it has none
     * @param port belongs to the address; 0 where it has none
     */
    record Remote(String network, String protocol, String protocolVersion, String address, int port) {
        public static final Remote UNKNOWN = new Remote("", "", "", "", 0);

        /** A client on a byte stream, which has no address of its own. */
        public static Remote over(String network) {
            return new Remote(network, "", "", "", 0);
        }
    }
}
