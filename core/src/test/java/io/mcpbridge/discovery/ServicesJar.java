package io.mcpbridge.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A jar with nothing in it but a services file. */
final class ServicesJar {

    private ServicesJar() {}

    /** A class loader below ours that sees a jar whose services file has these lines. */
    static URLClassLoader loader(Path folder, Class<?> service, List<String> lines) throws IOException {
        var jar = Files.createTempFile(folder, "services", ".jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/services/" + service.getName()));
            out.write(String.join("\n", lines).getBytes(UTF_8));
            out.closeEntry();
        }
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, service.getClassLoader());
    }
}
