description = "Streamable HTTP of both eras and HTTP+SSE of 2024-11-05: client and listener."

dependencies {
    api(project(":core"))
    api(project(":support"))
    implementation(libs.netty.codec.http)
    testImplementation(project(":engine"))
    testImplementation(project(":testkit"))
}
