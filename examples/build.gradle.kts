description = "Small programs that use the bridge; compiled and run by the build, not published."

dependencies {
    implementation(project(":core"))
    implementation(project(":audit"))
    implementation(project(":sandbox"))
    implementation(project(":testkit"))
    testImplementation(project(":cli"))
}
