description = "A pool of warm processes for sandboxed handlers of served tools."

dependencies {
    api(project(":server"))
    api(project(":sandbox"))
    testImplementation(project(":testkit"))
}

tasks.named<Test>("test") {
    // Most of these tests wait for processes: two JVMs at a time share the classes.
    maxParallelForks = 2
}
