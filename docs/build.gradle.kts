description = "The documentation and the tests that keep it true; not published."

dependencies {
    testImplementation(project(":engine"))
    testImplementation(project(":retry"))
    testImplementation(project(":audit"))
    testImplementation(project(":catalog"))
}
