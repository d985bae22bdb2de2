description = "Tools of MCP servers for language models."

dependencies {
    api(project(":engine"))
    api(project(":server"))
    testImplementation(project(":testkit"))
    testImplementation(project(":transport-unix"))
}
