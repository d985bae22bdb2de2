/**
 * Requests of the modern era, each of which stands for itself.
 *
 * <p>Start at {@link io.mcpbridge.downstream.modern.ModernFront}, which serves what {@code ModernRequestCheck} has
 * passed; {@link io.mcpbridge.downstream.modern.ModernHttp} adds what HTTP wants. Uses {@code downstream.calls},
 * {@code registry}, {@code listening}, and of {@code session} the name of a header.
 */
@NullMarked
package io.mcpbridge.downstream.modern;

import org.jspecify.annotations.NullMarked;
