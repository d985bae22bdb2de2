package io.mcpbridge.upstream.listening;

import io.mcpbridge.upstream.introduction.ServerProfile;
import java.time.Duration;

/**
 * On which terms a server is listened to.
 *
 * @param profile says which changes the server tells
 * @param patience how long it may take to acknowledge that it is listened to
 */
public record ListenTerms(ServerProfile profile, Duration patience) {}
