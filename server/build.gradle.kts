description = "Serves tools of a program over MCP."

dependencies {
    api(project(":engine"))
    runtimeOnly(project(":catalog"))
    testImplementation(project(":testkit"))
    testImplementation(project(":transport-stdio"))
    testImplementation(project(":transport-http"))
    testImplementation(project(":transport-unix"))
}
