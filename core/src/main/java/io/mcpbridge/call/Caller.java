package io.mcpbridge.call;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;

/**
 * Who makes a call, and what may be asked of them. Immutable, but for the client behind {@link #client()}.
 *
 * <p>A downstream session makes one and shares it among its calls; the front door has one per bridge.
 */
public final class Caller {
    /** Where a handshake carries the id that a client was configured with, within {@code _meta}. */
    public static final String CLIENT_ID_KEY = "io.mcpbridge/clientId";

    private final Principal principal;
    private final String clientId;
    private final String session;
    private final ProtocolVersion version;
    private final String capabilities;
    private final Handler client;

    private Caller(Builder builder) {
        this.principal = builder.principal;
        this.clientId = builder.clientId;
        this.session = builder.session;
        this.version = builder.version;
        this.capabilities = builder.capabilities;
        this.client = builder.client;
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

    public ProtocolVersion version() {
        return version;
    }

    public Era era() {
        return version.era();
    }

    /**
     * What servers may ask this client, as canonical JSON: the members {@code elicitation}, {@code roots} and
     * {@code sampling} of what it declared, in this order. Equal texts can share a session of a server.
     */
    public String capabilities() {
        return capabilities;
    }

    /** Where a server's requests to this client go, such as elicitation; refuses where nobody can answer. */
    public Handler client() {
        return client;
    }

    /**
     * Stands for this caller in requests that the bridge makes by itself, such as handshakes and listings: they may
     * share its sessions of servers, but belong to no client, so nothing is told or asked because of them.
     */
    public Caller withoutSession() {
        return builder()
                .principal(principal)
                .version(version)
                .capabilities(capabilities)
                .build();
    }

    /** Collects the parts of a caller; what is not set keeps a default that promises nothing. */
    public static final class Builder {
        private Principal principal = Principal.ANONYMOUS;
        private String clientId = "";
        private String session = "";
        private ProtocolVersion version = ProtocolVersion.LATEST_LEGACY;
        private String capabilities = "{}";
        private Handler client = Refusal.CLIENT_CANNOT_BE_ASKED;

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

        public Builder client(Handler value) {
            this.client = value;
            return this;
        }

        public Caller build() {
            return new Caller(this);
        }
    }
}
