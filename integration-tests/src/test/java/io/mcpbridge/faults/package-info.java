/**
 * What happens when servers and networks fail, end to end: the testkit's faulty server and fault proxy behind a {@link
 * io.mcpbridge.Bridge} or a daemon. Its tool {@code count} shows what really ran.
 */
@NullMarked
package io.mcpbridge.faults;

import org.jspecify.annotations.NullMarked;
