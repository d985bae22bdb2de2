/** Tests of the transports with unchanged clients and servers of the SDK. */
@NullMarked
package io.mcpbridge.sdk;

import org.jspecify.annotations.NullMarked;
