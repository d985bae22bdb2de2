description = "Starts children that cannot outlive the bridge, with limits."

dependencies {
    api(project(":core"))
    api(project(":support"))
    testImplementation(project(":testkit"))
}

tasks.named<Test>("test") {
    // Most of these tests wait for processes: two JVMs at a time share the classes.
    maxParallelForks = 2
}
