//! Tables: schemas of every keyword, texts for every format, and what is no schema. A line of JSON each.

pub(super) const SCHEMAS: &str = r##"true
false
{"type": "integer"}
{"type": ["integer", "null"]}
{"const": 1}
{"const": {"a": 1.0}}
{"enum": [1, "a", null]}
{"minimum": 1, "maximum": 2.5, "exclusiveMinimum": -1, "exclusiveMaximum": 3}
{"multipleOf": 0.1}
{"multipleOf": 2}
{"minLength": 2, "maxLength": 2}
{"minItems": 1, "maxItems": 2, "uniqueItems": true}
{"minProperties": 1, "maxProperties": 1}
{"required": ["a", "b", "z"]}
{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["z", "y"]}
{"properties": {"a": {"type": "string"}}, "required": ["z"], "additionalProperties": false}
{"properties": {"a": {"type": "string"}}, "required": ["z", "y"], "additionalProperties": false}
{"properties": {"a": {"type": "string"}}, "patternProperties": {"^[bc]": {"type": "null"}}}
{"patternProperties": {"^[ab]": {"type": "null"}}, "additionalProperties": false}
{"patternProperties": {"^[ab]": {"type": "null"}}, "additionalProperties": {"type": "array"}}
{"properties": {"a": {"type": "null"}, "c": false}, "additionalProperties": {"type": "array"}}
{"additionalProperties": false}
{"additionalProperties": {"type": "null"}}
{"propertyNames": {"maxLength": 1}}
{"propertyNames": {"pattern": "^b"}}
{"propertyNames": {"enum": ["a", "b", "c", "d", "e"]}}
{"propertyNames": false}
{"items": {"type": "integer"}}
{"items": false}
{"prefixItems": [{"type": "string"}, true], "items": {"type": "string"}}
{"prefixItems": [{"type": "string"}], "items": false}
{"items": [{"type": "string"}], "additionalItems": {"type": "string"}}
{"items": [{"type": "string"}], "additionalItems": false}
{"contains": {"type": "string"}}
{"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}
{"contains": {"type": "integer"}, "minContains": 0}
{"dependentRequired": {"a": ["b", "z"]}}
{"dependentSchemas": {"a": {"required": ["z"]}}}
{"dependencies": {"a": ["z"], "b": {"minProperties": 9}}}
{"allOf": [{"type": "string"}, {"minLength": 2}]}
{"anyOf": [{"type": "string"}, {"minimum": 2}]}
{"oneOf": [{"type": "number"}, {"minimum": 2}]}
{"not": {"type": "number"}}
{"if": {"type": "number"}, "then": {"minimum": 2}, "else": {"type": "string"}}
{"unevaluatedProperties": false, "properties": {"a": true}, "allOf": [{"properties": {"b": true}}]}
{"unevaluatedProperties": false, "anyOf": [{"required": ["a"], "properties": {"a": {"type": "integer"}}}, true]}
{"unevaluatedItems": false, "prefixItems": [true], "contains": {"type": "null"}}
{"$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n", "minimum": 1}
{"properties": {"c": {"$ref": "#"}}, "additionalProperties": false}
{"$ref": "#"}
{"$defs": {"n": {"$anchor": "here", "type": "null"}}, "items": {"$ref": "#here"}}
{"$id": "https://example.com/root", "$defs": {"n": {"$id": "inner", "type": "null"}}, "$ref": "inner"}
{"$defs": {"a/b": {"x y": {"type": "null"}}}, "$ref": "#/$defs/a~1b/x%20y"}
{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true, "type": ["integer", "string"]}
{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"n": {"type": "null"}}, "$ref": "#/definitions/n", "minimum": 5}
{"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [{"type": "null"}], "dependentRequired": {"a": ["z"]}, "const": 1}
{"$schema": "http://json-schema.org/draft-06/schema", "if": {"type": "number"}, "then": false, "contains": {"type": "null"}}
{"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{"type": "null"}], "unevaluatedItems": false}"##;

pub(super) const FORMATS: &str = "date time date-time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer regex unknown";

pub(super) const TEXTS: &str = r##"¦a¦a b¦2024-02-29¦2023-02-29¦2024-13-01¦2024-1-01¦12:00:00Z¦12:00:00.5+01:00¦24:00:00Z¦23:59:60Z¦22:59:60Z¦00:59:60+01:00¦12:00:00¦2024-02-29T12:00:00Z¦2024-02-29t12:00:00z¦2024-02-29 12:00:00Z¦P1D¦P1Y2M3D¦P1YT1H¦P1Y1D¦PT1H1S¦PT¦P¦P2W¦P2W1D¦P1DT5M¦me@example.com¦me@¦@example.com¦a.b@c¦.a@c¦a..b@c¦"a b"@c.d¦me@[127.0.0.1]¦me@[IPv6:::1]¦mé@example.com¦example.com¦-a.com¦a-.com¦a_b.com¦a.¦xn--a¦ab--cd.e¦127.0.0.1¦256.0.0.1¦01.0.0.1¦::1¦1::2::3¦fe80::1%eth0¦http://example.com/a?b#c¦//example.com¦/a/b¦a/b:c¦a:b¦1a:b¦http://exa mple.com¦http://[::1]/¦http://a/%zz¦http://a/%20¦#frag¦http://user:pw@host:80/¦http://ü.com/ü¦mailto:a@b.c¦http://a:b¦urn:uuid:1¦{a}¦/x{?a,b*}¦{a¦a}¦{a:10}¦{a:0}¦%zz¦123e4567-e89b-12d3-a456-426614174000¦123E4567-E89B-12D3-A456-42661417400¦/a/b~0¦/a~2¦0¦0#¦1/a¦01/a¦-1¦^a+$¦(¦(?=a)b¦\d{2}¦[a-¦a{,2}"##;

pub(super) const BROKEN: &str = r##"7
"x"
{"type": "strin"}
{"type": 1}
{"type": []}
{"properties": []}
{"properties": {"a": 1}}
{"required": "a"}
{"required": [1]}
{"required": ["a", "a"]}
{"minLength": -1}
{"minLength": "x"}
{"minLength": 1.5}
{"minimum": "x"}
{"multipleOf": 0}
{"pattern": "("}
{"pattern": 1}
{"enum": 1}
{"anyOf": []}
{"anyOf": [1]}
{"description": 1}
{"uniqueItems": 1}
{"items": 1}
{"patternProperties": {"(": {}}}
{"$ref": 1}
{"$ref": "#/nowhere"}
{"$ref": "#nowhere"}
{"$ref": "https://example.com/schema.json"}
{"$ref": "other.json#/x"}
{"$schema": "https://example.com/dialect"}"##;
