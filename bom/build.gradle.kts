plugins {
    `java-platform`
}

description = "Versions of the published modules; a module enters with its first public type."

dependencies {
    constraints {
        api(project(":core"))
        api(project(":support"))
        api(project(":engine"))
        api(project(":server"))
        api(project(":retry"))
        api(project(":audit"))
        api(project(":catalog"))
        api(project(":sandbox"))
        api(project(":workers"))
        api(project(":agents"))
        api(project(":guice"))
        api(project(":sdk"))
        api(project(":testkit"))
        api(project(":transport-stdio"))
        api(project(":transport-http"))
        api(project(":transport-unix"))
        api(project(":telemetry"))
        api(project(":gateway"))
        api(project(":cli"))
    }
}
