package io.mcpbridge.catalog.schema;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.DefaultDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectRegistry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The dialects of JSON Schema, whose rules pay for what they look at. Any thread. */
final class ChargedDialects implements DialectRegistry {
    /** The library looks for these by their classes; what they lead to pays. */
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    private static final String FORMAT = "format";

    private final DialectRegistry plain = new DefaultDialectRegistry();
    private final Map<Dialect, Dialect> charged = new ConcurrentHashMap<>();
    private final Allowances allowances;

    ChargedDialects(Allowances allowances) {
        this.allowances = allowances;
    }

    @Override
    public Dialect getDialect(String id, SchemaRegistry registry) {
        return charged.computeIfAbsent(plain.getDialect(id, registry), this::charge);
    }

    private Dialect charge(Dialect dialect) {
        return Dialect.builder(dialect)
                .keywords(all -> dialect.getKeywords().forEach((name, keyword) -> {
                    if (!REFERENCES.contains(name) && !name.equals(FORMAT)) {
                        all.put(name, new ChargedKeyword(keyword, allowances));
                    }
                }))
                .formatKeywordFactory(formats -> new ChargedFormats(formats, allowances))
                .build();
    }
}
