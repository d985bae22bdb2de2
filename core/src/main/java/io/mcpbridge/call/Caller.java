package io.mcpbridge.call;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, and what may be asked of them. Immutable, but for the client behind {@link #client()}.
 *
 * <p>A downstream session makes one and shares it among its calls; the front door has one per bridge.
 */
public final class Caller {
    /** Where a handshake carries the id that a client was configured with, within {@code _meta}. */
    public static final String CLIENT_ID_KEY = "io.mcpbridge/clientId";

    /** All that servers can ask, in the form of {@link #capabilities()}. */
    public static final String EVERYTHING =
            "{\"elicitation\":{\"form\":{},\"url\":{}},\"roots\":{},\"sampling\":{\"context\":{},\"tools\":{}}}";

    private final Principal principal;
    private final String clientId;
    private final String session;
    private final String home;
    private final ProtocolVersion version;
    private final String capabilities;
    private final String declared;
    private final String info;
    private final @Nullable LogLevel logLevel;
    private final Handler client;
    private final Audience audience;

    private Caller(Builder builder) {
        this.principal = builder.principal;
        this.clientId = builder.clientId;
        this.session = builder.session;
        this.home = builder.home.isEmpty() ? builder.session : builder.home;
        this.version = builder.version;
        this.capabilities = builder.capabilities;
        this.declared = builder.declared;
        this.info = builder.info;
        this.logLevel = builder.logLevel;
        this.client = builder.client;
        this.audience = builder.audience;
    }

    public static Builder builder() {
        return new Builder();
    }

    public Principal principal() {
        return principal;
    }

    /** The id that the client gave itself, or the empty string. */
    public String clientId() {
        return clientId;
    }

    /** Our name for the client's session, unique in this process; for logs and to tell sessions apart. */
    public String session() {
        return session;
    }

    /**
     * The name of the client whose sessions of servers are used: its own {@link #session()}, or that of the client in
     * whose place the bridge asks for something.
     */
    public String home() {
        return home;
    }

    public ProtocolVersion version() {
        return version;
    }

    public Era era() {
        return version.era();
    }

    /**
     * What servers may ask this client, as canonical JSON: {@code elicitation}, {@code roots} and {@code sampling} of
     * what it declared, in this order and with nothing but what the specification knows of them. Equal texts can share
     * a session of a server.
     */
    public String capabilities() {
        return capabilities;
    }

    /**
     * What a server of the legacy era is told, once for its session, that can be asked. Modern clients declare it anew
     * with each request, so for them that is everything; what one of them cannot be asked shows when it is asked.
     */
    public String promised() {
        return era() == Era.MODERN ? EVERYTHING : capabilities;
    }

    /** The client's capabilities, raw JSON as it declared them; what {@link #capabilities} is made from. */
    public String declared() {
        return declared;
    }

    /** What the client says of itself, the raw JSON of its {@code clientInfo}; proves nothing. */
    public String info() {
        return info;
    }

    /** The mildest log messages that the client wants; empty if it asked for none. */
    public Optional<LogLevel> logLevel() {
        return Optional.ofNullable(logLevel);
    }

    /** Where the client hears what belongs to none of its requests. */
    public Audience audience() {
        return audience;
    }

    /** Where a server's requests to this client go, such as elicitation; refuses where nobody can answer. */
    public Handler client() {
        return client;
    }

    /** Whether there is somebody to ask, whatever the client has declared. */
    public boolean canBeAsked() {
        return client != Refusal.CLIENT_CANNOT_BE_ASKED;
    }

    /**
     * Stands for this caller in requests that the bridge makes by itself, such as handshakes and listings: they may
     * share its sessions of servers, but belong to no client, so nothing is told or asked because of them.
     */
    public Caller withoutSession() {
        var copy = builder()
                .principal(principal)
                .version(version)
                .capabilities(capabilities)
                .declared(declared)
                .info(info);
        // Requests of the modern era stand for themselves, so what is done in between needs no session of their client.
        copy.home = era() == Era.LEGACY ? home : "";
        return copy.build();
    }

    /** A builder that begins with everything of this caller. */
    public Builder but() {
        var copy = new Builder();
        copy.principal = principal;
        copy.clientId = clientId;
        copy.session = session;
        copy.home = home.equals(session) ? "" : home;
        copy.version = version;
        copy.capabilities = capabilities;
        copy.declared = declared;
        copy.info = info;
        copy.logLevel = logLevel;
        copy.client = client;
        copy.audience = audience;
        return copy;
    }

    /** Collects the parts of a caller; what is not set keeps a default that promises nothing. */
    public static final class Builder {
        private Principal principal = Principal.ANONYMOUS;
        private String clientId = "";
        private String session = "";
        private String home = "";
        private ProtocolVersion version = ProtocolVersion.LATEST_LEGACY;
        private String capabilities = "{}";
        private String declared = "{}";
        private String info = "{}";
        private @Nullable LogLevel logLevel;
        private Handler client = Refusal.CLIENT_CANNOT_BE_ASKED;
        private Audience audience = Audience.NOBODY;

        private Builder() {}

        public Builder principal(Principal value) {
            this.principal = value;
            return this;
        }

        public Builder clientId(String value) {
            this.clientId = value;
            return this;
        }

        public Builder session(String value) {
            this.session = value;
            return this;
        }

        public Builder version(ProtocolVersion value) {
            this.version = value;
            return this;
        }

        public Builder capabilities(String json) {
            this.capabilities = json;
            return this;
        }

        public Builder declared(String json) {
            this.declared = json;
            return this;
        }

        public Builder info(String json) {
            this.info = json;
            return this;
        }

        public Builder logLevel(@Nullable LogLevel value) {
            this.logLevel = value;
            return this;
        }

        public Builder audience(Audience value) {
            this.audience = value;
            return this;
        }

        public Builder client(Handler value) {
            this.client = value;
            return this;
        }

        public Caller build() {
            return new Caller(this);
        }
    }
}
