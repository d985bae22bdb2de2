description = "Starts children with limits and keeps a pool of warm workers."

dependencies {
    api(project(":core"))
    testImplementation(project(":testkit"))
}

tasks.named<Test>("test") {
    // Most of these tests wait for processes: two JVMs at a time share the classes.
    maxParallelForks = 2
}
