/** That the testkit's faults really happen. */
@NullMarked
package io.mcpbridge.testkit.proxy;

import org.jspecify.annotations.NullMarked;
