package io.mcpbridge.architecture.wrong.retry;

import io.mcpbridge.architecture.wrong.audit.Sink;
import java.util.List;

record UsesAnotherPlugin(List<Sink> sinks) {}
