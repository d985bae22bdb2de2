description = "Tests across modules; not published."

dependencies {
    testImplementation(project(":cli"))
    testImplementation(project(":testkit"))
}
