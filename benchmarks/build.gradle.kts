description = "Benchmarks; not published."

dependencies {
    implementation(project(":engine"))
    implementation(project(":workers"))
    implementation(project(":retry"))
    implementation(project(":audit"))
    implementation(project(":agents"))
    implementation(project(":sdk"))
    implementation(project(":testkit"))
    implementation(libs.mcp.sdk)
    implementation(libs.jackson.databind)
    runtimeOnly(project(":transport-stdio"))
    runtimeOnly(project(":transport-unix"))
    runtimeOnly(project(":transport-http"))
}
