description = "One server, many servers, sessions of clients, routing, the call pipeline, and the front door."

dependencies {
    api(project(":core"))
    api(project(":support"))
    testImplementation(project(":testkit"))
}

// The parent pom does the same.
tasks.processResources {
    val project = mapOf("version" to version)
    inputs.properties(project)
    from("src/main/templates") { expand(mapOf("project" to project)) }
}
