description = "Help for authors of plug-ins: line framing, private files, child processes."

dependencies {
    api(project(":core"))
    testImplementation(project(":testkit"))
}
