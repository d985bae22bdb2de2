description = "Starts children with limits and keeps a pool of warm workers."

dependencies {
    api(project(":core"))
    testImplementation(project(":testkit"))
}
