package io.mcpbridge.transport.http.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes keys and certificates for {@code localhost} in a folder, with the tool that comes with Java. */
final class Keytool {
    private static final String PASSWORD = "password";

    private final Path folder;

    Keytool(Path folder) {
        this.folder = folder;
    }

    /** TLS with a certificate that has signed itself and that is trusted. */
    SSLContext selfSigned() throws Exception {
        pair("own", "a", "CN=localhost", "-ext", "SAN=dns:localhost");
        return context("own", "a");
    }

    /** TLS with an expired certificate of a trusted authority. */
    SSLContext expired() throws Exception {
        var request = folder.resolve("a.csr").toString();
        var certificate = folder.resolve("a.crt").toString();
        var authority = folder.resolve("ca.crt").toString();
        pair("authority", "ca", "CN=authority", "-ext", "bc:c");
        pair("expired", "a", "CN=localhost");
        run("expired", "-certreq", "-alias", "a", "-file", request);
        run(
                "authority",
                "-gencert",
                "-alias",
                "ca",
                "-infile",
                request,
                "-outfile",
                certificate,
                "-startdate",
                "-10d",
                "-validity",
                "2",
                "-ext",
                "SAN=dns:localhost");
        run("authority", "-exportcert", "-alias", "ca", "-file", authority);
        run("expired", "-importcert", "-noprompt", "-alias", "ca", "-file", authority);
        run("expired", "-importcert", "-noprompt", "-alias", "a", "-file", certificate);
        return context("expired", "ca");
    }

    private void pair(String store, String alias, String name, String... more) throws Exception {
        var arguments = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", name));
        arguments.addAll(List.of(more));
        run(store, arguments.toArray(String[]::new));
    }

    private void run(String store, String... arguments) throws Exception {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var command = new ArrayList<>(List.of(keytool, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file(store).toString()));
        var process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool did not do " + command);
        }
    }

    private Path file(String store) {
        return folder.resolve(store + ".p12");
    }

    private SSLContext context(String store, String trustedAlias) throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file(store))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(trustedAlias, keys.getCertificate(trustedAlias));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
