package io.mcpbridge.architecture.builds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** An element of an XML file, found by the names on the way to it. */
record Xml(Element element) {

    static Xml read(Path file) {
        try {
            var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            return new Xml(builder.parse(file.toFile()).getDocumentElement());
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("Cannot read '%s': %s".formatted(file, e.getMessage()), e);
        }
    }

    String name() {
        return element.getTagName();
    }

    String text() {
        return element.getTextContent().strip();
    }

    /** The text of the first element there, or an empty one. */
    String text(String... path) {
        return all(path).stream().findFirst().map(Xml::text).orElse("");
    }

    /** All elements there; {@code *} stands for any name. */
    List<Xml> all(String... path) {
        List<Xml> found = List.of(this);
        for (String name : path) {
            found = found.stream().flatMap(it -> it.children(name).stream()).toList();
        }
        return found;
    }

    /** The children called {@code child} of all elements called {@code parent}, at any depth. */
    List<Xml> descendants(String parent, String child) {
        List<Xml> found = new ArrayList<>();
        var parents = element.getElementsByTagName(parent);
        for (int i = 0; i < parents.getLength(); i++) {
            found.addAll(new Xml((Element) parents.item(i)).children(child));
        }
        return found;
    }

    private List<Xml> children(String name) {
        List<Xml> children = new ArrayList<>();
        for (var node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child && (name.equals("*") || name.equals(child.getTagName()))) {
                children.add(new Xml(child));
            }
        }
        return children;
    }
}
