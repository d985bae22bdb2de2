description = "Small programs that use the bridge; compiled and run by the build, not published."

dependencies {
    implementation(project(":engine"))
    implementation(project(":agents"))
    implementation(project(":audit"))
    implementation(project(":workers"))
    implementation(project(":sdk"))
    implementation(project(":testkit"))
    implementation(libs.mcp.sdk)
    testImplementation(project(":cli"))
}
