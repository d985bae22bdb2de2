description = "Transports of the official MCP Java SDK over a bridge and its listeners."

dependencies {
    api(project(":engine"))
    api(libs.mcp.core)
    testImplementation(project(":retry"))
    testImplementation(project(":testkit"))
    testImplementation(project(":transport-http"))
    testImplementation(project(":transport-stdio"))
    testImplementation(project(":transport-unix"))
    testImplementation(libs.mcp.sdk)
}

// Not a module-info.java, since a library it uses has none.
tasks.jar {
    manifest.attributes("Automatic-Module-Name" to "io.mcpbridge.sdk")
}
