description = "The daemon: configuration, listeners, reload, drain and admin."

dependencies {
    api(project(":core"))
    runtimeOnly(project(":transport-stdio"))
    runtimeOnly(project(":transport-http"))
    runtimeOnly(project(":transport-unix"))
    runtimeOnly(project(":retry"))
    runtimeOnly(project(":audit"))
    runtimeOnly(project(":catalog"))
    runtimeOnly(project(":sandbox"))
    runtimeOnly(project(":telemetry"))
    testCompileOnly(project(":audit"))
    testImplementation(project(":testkit"))
}
