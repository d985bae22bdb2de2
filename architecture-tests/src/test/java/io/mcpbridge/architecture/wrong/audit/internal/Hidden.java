package io.mcpbridge.architecture.wrong.audit.internal;

public record Hidden() {}
