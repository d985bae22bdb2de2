description = "Tests of the shape of the code and of the two builds; not published."

dependencies {
    testImplementation(project(":core"))
    testImplementation(project(":support"))
    testImplementation(project(":engine"))
    testImplementation(project(":server"))
    testImplementation(project(":transport-stdio"))
    testImplementation(project(":transport-http"))
    testImplementation(project(":transport-unix"))
    testImplementation(project(":retry"))
    testImplementation(project(":audit"))
    testImplementation(project(":catalog"))
    testImplementation(project(":sandbox"))
    testImplementation(project(":workers"))
    testImplementation(project(":agents"))
    testImplementation(project(":telemetry"))
    testImplementation(project(":guice"))
    testImplementation(project(":sdk"))
    testImplementation(project(":testkit"))
    testImplementation(project(":gateway"))
    testImplementation(project(":cli"))
    testImplementation(libs.archunit)
}

tasks.test {
    // The files of the two builds, which the tests read.
    inputs.files(
        rootProject.fileTree(rootProject.projectDir) {
            include("pom.xml", "*/pom.xml", "*.gradle.kts", "*/*.gradle.kts", "gradle/*.toml", "gradle.properties", "docs/api/*.txt")
        },
    )
}
