description = "Adapters to the official Java SDK: typed results, transports for its clients, servers behind ours."

dependencies {
    api(project(":core"))
    api(libs.mcp.sdk)
    testImplementation(project(":testkit"))
}
