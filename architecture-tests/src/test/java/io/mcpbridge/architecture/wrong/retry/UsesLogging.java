package io.mcpbridge.architecture.wrong.retry;

import java.util.logging.Level;

record UsesLogging(Level level) {}
