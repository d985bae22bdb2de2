/**
 * What every call to a server passes before it is sent: whether it may be sent, and where it waits until it can be.
 *
 * <p>Start at {@link io.mcpbridge.upstream.admission.CallAdmission}; {@link
 * io.mcpbridge.upstream.admission.CallQueue} counts the calls that wait, each of which is a {@link
 * io.mcpbridge.upstream.admission.QueuedCall} while something is missing. Public for the packages beside it only.
 *
 * <p>Uses {@code config}, {@code spi}, {@code tool}, {@code call} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream.admission;

import org.jspecify.annotations.NullMarked;
