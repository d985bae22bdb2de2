package io.mcpbridge.architecture.wrong;

import io.mcpbridge.architecture.wrong.audit.Sink;

record UsesPlugin(Sink sink) {}
