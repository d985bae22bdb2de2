package io.mcpbridge.architecture.wrong.cli;

import io.mcpbridge.architecture.wrong.audit.internal.Hidden;

record UsesInternal(Hidden foreign) {}
