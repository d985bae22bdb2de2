package io.mcpbridge.call;

/** The connection and headers with which a client's request arrived. Any thread. */
public interface RequestOrigin {
    /** An unknown origin, such as that of a call by the embedding program. */
    RequestOrigin UNKNOWN = () -> MessageHeaders.EMPTY;

    /** The headers; empty on byte streams. */
    MessageHeaders headers();

    /** The remote end of the connection; only observers read it. */
    default Remote remote() {
        return Remote.UNKNOWN;
    }

    /**
     * The remote end of a client connection, for observers.
     *
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty if unknown
     * @param protocol the protocol that carries the messages, such as {@code http}; empty if there is none
     * @param protocolVersion the version of that protocol, such as {@code 1.1}, or the empty string
     * @param address the address of the client, such as {@code 127.0.0.1}; empty if it has none
     * @param port the port of the client; 0 if it has none
     */
    record Remote(String network, String protocol, String protocolVersion, String address, int port) {
        public static final Remote UNKNOWN = new Remote("", "", "", "", 0);

        /** The address and port, such as {@code 127.0.0.1:5123} or {@code [::1]:5123}; empty if there is no address. */
        public String hostAndPort() {
            if (address.isEmpty()) {
                return "";
            }
            return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
        }

        /** A client on a byte stream, which has no address of its own. */
        public static Remote over(String network) {
            return new Remote(network, "", "", "", 0);
        }
    }
}
