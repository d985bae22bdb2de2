description = "Newline-framed JSON over a Unix socket: client and listener, peer credentials."

dependencies {
    api(project(":core"))
    testImplementation(project(":testkit"))
}
