package io.mcpbridge.architecture.wrong.retry;

import com.google.inject.Injector;

record UsesGuice(Injector injector) {}
