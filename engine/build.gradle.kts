description = "One server, many servers, sessions of clients, routing, the call pipeline, and the front door."

dependencies {
    api(project(":core"))
    api(project(":support"))
    testImplementation(project(":testkit"))
}
