pluginManagement {
    repositories {
        mavenCentral()
    }
}

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        mavenCentral()
    }
}

rootProject.name = "mcp-bridge"

include(
    "bom",
    "core",
    "testkit",
    "transport-stdio",
    "transport-http",
    "transport-unix",
    "retry",
    "audit",
    "catalog",
    "sandbox",
    "telemetry",
    "guice",
    "sdk",
    "gateway",
    "cli",
    "examples",
    "benchmarks",
    "architecture-tests",
    "integration-tests",
    "docs",
)
