package io.mcpbridge.architecture.wrong.audit;

import io.mcpbridge.architecture.wrong.audit.internal.Hidden;

public record Sink(Hidden own) {}
