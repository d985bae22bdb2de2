@NullMarked
package io.mcpbridge.cli.relay;

import org.jspecify.annotations.NullMarked;
