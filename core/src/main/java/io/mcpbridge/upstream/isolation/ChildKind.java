package io.mcpbridge.upstream.isolation;

import io.mcpbridge.upstream.session.SessionKey;

/**
 * For which calls a process may be started ahead.
 *
 * @param key whose calls those are
 * @param memoryMb how many MiB it may take; 0 for as many as there are
 */
public record ChildKind(SessionKey key, int memoryMb) {}
