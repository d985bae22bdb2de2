package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;

/**
 * The headers with which we show a server who calls. Never waits; any thread.
 *
 * <p>Where users share the sessions of a server, all of them are {@link Principal#ANONYMOUS} here.
 */
public interface Credentials {

    /** There are none, beside what the configuration says for every request. */
    Credentials NONE = (principal, server) -> MessageHeaders.EMPTY;

    /** Headers for a request of {@code principal} to {@code server}. */
    MessageHeaders headers(Principal principal, String server);

    /**
     * Gets new ones, since the server has refused those of {@code principal}; not asked again before {@code completion}
     * has heard. What a failure says is shown to the caller, so there must be no secret in it.
     *
     * @param challenge the server's {@code WWW-Authenticate}, or the empty string
     */
    default void refresh(Principal principal, String server, String challenge, Completion completion) {
        completion.failed(new UnsupportedOperationException("they cannot be renewed by the bridge"));
    }
}
