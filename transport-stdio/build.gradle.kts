description = "Speaks to a child process over its standard streams and serves over our own."

dependencies {
    api(project(":core"))
    api(project(":support"))
    testImplementation(project(":testkit"))
}
