/**
 * Shows that a foreign project can pick modules through the BOM.
 *
 * <p>Start at {@link io.mcpbridge.integration.bom.BomConsumerTest}, which builds the project in {@code
 * integration-tests/bom-consumer}.
 *
 * <p>May use the JDK only: it handles the modules as files.
 */
@NullMarked
package io.mcpbridge.integration.bom;

import org.jspecify.annotations.NullMarked;
