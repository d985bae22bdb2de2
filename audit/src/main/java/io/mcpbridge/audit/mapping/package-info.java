/**
 * Audit records in the words of other systems.
 *
 * <p>Pure functions of records that were read: {@link io.mcpbridge.audit.mapping.OcsfMapping} for OCSF and {@link
 * io.mcpbridge.audit.mapping.EcsMapping} for the Elastic Common Schema. What has no place there stands under one key for
 * the rest, so nothing is lost; the chain of hashes holds for the native form alone.
 *
 * <p>Uses {@code record}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.mapping;

import org.jspecify.annotations.NullMarked;
