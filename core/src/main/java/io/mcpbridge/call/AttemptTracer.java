package io.mcpbridge.call;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Traces one attempt of a call, and may add metadata and headers to its request. Never blocks; any thread. */
public interface AttemptTracer {

    /** Traces nothing. */
    AttemptTracer NONE = new AttemptTracer() {};

    /**
     * Called before the request of the attempt is sent; returns the additions to it. The method is called again if the
     * same attempt is resent, such as after a lost session. It is not called if nothing is sent.
     */
    default Additions sending(Sending sending) {
        return Additions.NONE;
    }

    /** The attempt has its outcome. */
    default void ended(Outcome outcome) {}

    /**
     * The wire id, version and connection of an attempt that is being sent.
     *
     * @param id the id on the wire
     * @param version the protocol revision of the session with the server
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty if unknown
     * @param address the address of the server: a URI, a path or the name of a command; empty if unknown
     * @param session the id that the server gave the session
     */
    record Sending(MessageId id, ProtocolVersion version, String network, String address, Optional<String> session) {

        /** A request with this id and revision, without network, address and session. */
        public static Sending of(MessageId id, ProtocolVersion version) {
            return new Sending(id, version, "", "", Optional.empty());
        }

        /**
         * A copy with this network and address.
         *
         * @param newNetwork {@code pipe}, {@code tcp} or {@code unix}
         * @param newAddress the address of the server: a URI, a path or the name of a command
         */
        public Sending over(String newNetwork, String newAddress) {
            return new Sending(id, version, newNetwork, newAddress, session);
        }

        /** A copy with this session id, which the server assigned. */
        public Sending in(String newSession) {
            return new Sending(
                    id, version, network, address, Optional.of(newSession).filter(name -> !name.isEmpty()));
        }
    }

    /**
     * Texts that the bridge adds to {@code params._meta} of an attempt, and headers that it adds if the transport has
     * headers. Immutable.
     */
    record Additions(Map<String, String> meta, Map<String, String> headers) {
        public static final Additions NONE = new Additions(Map.of(), Map.of());

        /** Texts by their keys in {@code _meta}, and headers by their names. */
        public static Additions of(Map<String, String> meta, Map<String, String> headers) {
            return meta.isEmpty() && headers.isEmpty() ? NONE : new Additions(Map.copyOf(meta), Map.copyOf(headers));
        }

        /** The union of both; if both have a name, {@code other} wins. */
        public Additions and(Additions other) {
            if (equals(NONE)) {
                return other;
            }
            return other.equals(NONE) ? this : new Additions(joined(meta, other.meta), joined(headers, other.headers));
        }

        /** The request with these texts in {@code _meta}; unchanged if its params cannot have {@code _meta}. */
        public Request in(Request request) {
            if (meta.isEmpty()) {
                return request;
            }
            try {
                var splice = request.splice();
                meta.forEach((key, text) -> splice.putMeta(key, JsonStrings.quote(text)));
                return (Request) splice.done();
            } catch (IllegalStateException homeless) {
                // An observer must not prevent the sending.
                return request;
            }
        }

        /** The given headers and the added ones. */
        public MessageHeaders in(MessageHeaders given) {
            var all = given;
            for (var header : headers.entrySet()) {
                all = all.with(header.getKey(), header.getValue());
            }
            return all;
        }

        private static Map<String, String> joined(Map<String, String> one, Map<String, String> other) {
            var joined = new LinkedHashMap<>(one);
            joined.putAll(other);
            return Map.copyOf(joined);
        }
    }
}
