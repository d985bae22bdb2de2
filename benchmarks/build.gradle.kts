description = "Benchmarks; not published."

dependencies {
    implementation(project(":engine"))
    implementation(project(":workers"))
    implementation(project(":transport-stdio"))
    implementation(project(":transport-unix"))
    implementation(project(":retry"))
    implementation(project(":audit"))
    implementation(project(":gateway"))
    implementation(project(":agents"))
    implementation(project(":sdk"))
    implementation(project(":testkit"))
    implementation(libs.mcp.sdk)
    implementation(libs.jmh.core)
    annotationProcessor(libs.jmh.generator.annprocess)
}
