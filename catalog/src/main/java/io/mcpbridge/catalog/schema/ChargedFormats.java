package io.mcpbridge.catalog.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.KeywordValidator;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The keyword {@code format}, which the library knows by its class; its rules pay for what they look at. Any thread. */
final class ChargedFormats extends FormatKeyword {
    private final Allowances allowances;

    ChargedFormats(Map<String, Format> formats, Allowances allowances) {
        super(formats);
        this.allowances = allowances;
    }

    @Override
    public KeywordValidator newValidator(SchemaLocation location, JsonNode rule, Schema parent, SchemaContext context) {
        return new ChargedRule(super.newValidator(location, rule, parent, context), rule, allowances);
    }
}
