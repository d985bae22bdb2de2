package io.mcpbridge.architecture.wrong;

record ThingManager() {}
