/** Uses every module that the BOM names. */
@SuppressWarnings("requires-automatic")
module consumer {
    requires com.google.guice;
    requires io.mcpbridge.agents;
    requires io.mcpbridge.audit;
    requires io.mcpbridge.catalog;
    requires io.mcpbridge.cli;
    requires io.mcpbridge.core;
    requires io.mcpbridge.engine;
    requires io.mcpbridge.gateway;
    requires io.mcpbridge.guice;
    requires io.mcpbridge.retry;
    requires io.mcpbridge.sandbox;
    requires io.mcpbridge.sdk;
    requires io.mcpbridge.server;
    requires io.mcpbridge.support;
    requires io.mcpbridge.telemetry;
    requires io.mcpbridge.transport.http;
    requires io.mcpbridge.transport.stdio;
    requires io.mcpbridge.transport.unix;
    requires io.mcpbridge.workers;
}
