package io.mcpbridge.peers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs peers from npm. It is skipped where they are not installed, and says what is missing; where the
 * variable {@code MCP_BRIDGE_REQUIRE_PEERS} is {@code true} it fails instead.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PeersCondition.class)
@interface RequiresPeers {}
