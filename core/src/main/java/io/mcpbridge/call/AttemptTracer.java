package io.mcpbridge.call;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Watches one attempt of a call and may send something along with it. Never waits; any thread. */
public interface AttemptTracer {

    /** Watches nothing. */
    AttemptTracer NONE = new AttemptTracer() {};

    /**
     * The attempt's message is made; what is returned goes with it. Comes again where the same attempt is sent anew, as
     * after a lost session, and not at all where nothing is sent.
     */
    default Additions sending(Sending sending) {
        return Additions.NONE;
    }

    /** The attempt has its outcome. */
    default void ended(Outcome outcome) {}

    /**
     * How an attempt is sent, for those who watch it.
     *
     * @param id the id on the wire
     * @param version the revision that is spoken with the server
     * @param network {@code pipe}, {@code tcp} or {@code unix}; empty where that is not known
     * @param address where the server is: a URI, a path or a command's name; empty where that is not known
     * @param session the id that the server gave the session
     */
    record Sending(MessageId id, ProtocolVersion version, String network, String address, Optional<String> session) {

        /** A message with this id, in this revision, of which nothing else is known. */
        public static Sending of(MessageId id, ProtocolVersion version) {
            return new Sending(id, version, "", "", Optional.empty());
        }

        /**
         * The same on its way.
         *
         * @param newNetwork {@code pipe}, {@code tcp} or {@code unix}
         * @param newAddress where the server is: a URI, a path or a command's name
         */
        public Sending over(String newNetwork, String newAddress) {
            return new Sending(id, version, newNetwork, newAddress, session);
        }

        /** The same in a session that the server gave this id. */
        public Sending in(String newSession) {
            return new Sending(
                    id, version, network, address, Optional.of(newSession).filter(name -> !name.isEmpty()));
        }
    }

    /**
     * What goes with an attempt beside the caller's own words: texts in {@code params._meta}, and headers where the
     * transport has them. Immutable.
     */
    record Additions(Map<String, String> meta, Map<String, String> headers) {
        public static final Additions NONE = new Additions(Map.of(), Map.of());

        /** Texts by their keys in {@code _meta}, and headers by their names. */
        public static Additions of(Map<String, String> meta, Map<String, String> headers) {
            return meta.isEmpty() && headers.isEmpty() ? NONE : new Additions(Map.copyOf(meta), Map.copyOf(headers));
        }

        /** Both; where a name is in both, {@code other} counts. */
        public Additions and(Additions other) {
            if (equals(NONE)) {
                return other;
            }
            return other.equals(NONE) ? this : new Additions(joined(meta, other.meta), joined(headers, other.headers));
        }

        /** The request with what goes into {@code _meta}; as it was where its params can have none. */
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

        /** The headers with those that are added. */
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
