/** That the testkit's faults really happen. */
@NullMarked
package io.mcpbridge.testkit.faulty;

import org.jspecify.annotations.NullMarked;
