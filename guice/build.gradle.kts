description = "Binds core and the providers found, for embedders who use Guice."

dependencies {
    api(project(":core"))
    api(libs.guice)
    testImplementation(project(":testkit"))
}
