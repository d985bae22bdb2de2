description = "Newline-framed JSON over a Unix socket: client and listener, peer credentials."

dependencies {
    api(project(":core"))
    api(project(":support"))
    testImplementation(project(":testkit"))
}
