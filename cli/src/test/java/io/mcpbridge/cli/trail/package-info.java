@NullMarked
package io.mcpbridge.cli.trail;

import org.jspecify.annotations.NullMarked;
