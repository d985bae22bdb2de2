package io.mcpbridge.architecture.wrong.one;

import io.mcpbridge.architecture.wrong.two.Two;

public record One(Two two) {}
