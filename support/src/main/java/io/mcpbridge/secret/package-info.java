/**
 * Finds secrets in texts of others, so that logs and records can leave them out.
 *
 * <p>Start with {@link io.mcpbridge.secret.KnownValueFinder}, which finds known values in all their encodings. {@link
 * io.mcpbridge.secret.TokenPatterns} finds credentials by their form. {@link io.mcpbridge.secret.SecretSpans} collects
 * what both find in one text and replaces it.
 *
 * <p>Uses the JDK.
 */
@NullMarked
package io.mcpbridge.secret;

import org.jspecify.annotations.NullMarked;
