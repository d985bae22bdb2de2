package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;
import java.util.Optional;

/** Tells who presents a credential. Never waits; any thread. */
public interface Authenticator {

    /** The principal behind {@code credential}, such as a bearer token; empty if it is not known. */
    Optional<Principal> authenticate(String credential);
}
