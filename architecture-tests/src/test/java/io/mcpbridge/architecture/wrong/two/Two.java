package io.mcpbridge.architecture.wrong.two;

import io.mcpbridge.architecture.wrong.one.One;
import java.util.List;

public record Two(List<One> ones) {}
