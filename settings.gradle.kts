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
    "support",
    "engine",
    "server",
    "transport-stdio",
    "transport-http",
    "transport-unix",
    "retry",
    "audit",
    "catalog",
    "sandbox",
    "workers",
    "agents",
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
