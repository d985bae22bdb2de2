description = "Tools of MCP servers for language models, and workflows."

dependencies {
    api(project(":engine"))
    api(project(":server"))
    implementation(libs.snakeyaml.engine)
    testImplementation(project(":testkit"))
    testImplementation(project(":transport-unix"))
}
