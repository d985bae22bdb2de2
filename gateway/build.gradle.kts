description = "The daemon: configuration, listeners, reload, drain and admin."

dependencies {
    api(project(":engine"))
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

tasks.named<Test>("test") {
    // Most of these tests wait for daemons and children: two JVMs at a time share the classes.
    maxParallelForks = 2
}
