package io.mcpbridge.catalog.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A keyword whose rules pay for what they look at. Any thread. */
record ChargedKeyword(Keyword keyword, Allowances allowances) implements Keyword {

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public @Nullable KeywordValidator newValidator(
            SchemaLocation location, JsonNode rule, Schema parent, SchemaContext context) throws Exception {
        if (getValue().equals("enum") && rule.size() > Budgets.CHOICES) {
            throw new TooCostlyException(
                    "an 'enum' has %,d values but may have %,d".formatted(rule.size(), Budgets.CHOICES));
        }
        var validator = keyword.newValidator(location, rule, parent, context);
        return validator == null ? null : new ChargedRule(validator, rule, allowances);
    }
}
