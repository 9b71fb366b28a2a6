//! What a module says of others: which it imports, which names of them, and whether it awaits something itself.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::ast::{
    AccessorProperty, ArrowFunctionExpression, AwaitExpression, ForOfStatement, Function, Program, PropertyDefinition,
    StaticBlock, VariableDeclaration,
};
use oxc_ast_visit::Visit;
use oxc_semantic::ScopeFlags;
use oxc_syntax::module_record::{ExportImportName, ImportImportName, ModuleRecord};

/// What a module imports.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// The modules that it imports statically, as written.
    pub(crate) modules: Vec<String>,
    /// The names that it imports of what is no path.
    pub(crate) names: Names,
}

/// Names by the module that they are of, as written.
pub(crate) type Names = BTreeMap<String, BTreeSet<String>>;

impl Imports {
    pub(super) fn of(record: &ModuleRecord<'_>) -> Self {
        let requested = record.requested_modules.iter();
        let requested = requested.filter(|(_, requests)| requests.iter().any(|request| !request.is_type));
        let mut imports = Self { modules: requested.map(|(name, _)| name.to_string()).collect(), ..Self::default() };
        for entry in record.import_entries.iter().filter(|entry| !entry.is_type) {
            match &entry.import_name {
                ImportImportName::Name(name) => imports.note(&entry.module_request.name, &name.name),
                ImportImportName::Default(_) => imports.note(&entry.module_request.name, "default"),
                ImportImportName::NamespaceObject => {}
            }
        }
        for entry in record.indirect_export_entries.iter().filter(|entry| !entry.is_type) {
            if let (Some(module), ExportImportName::Name(name)) = (&entry.module_request, &entry.import_name) {
                imports.note(&module.name, &name.name);
            }
        }
        imports
    }

    fn note(&mut self, module: &str, name: &str) {
        let is_identifier = name.chars().all(|part| part.is_alphanumeric() || part == '_' || part == '$');
        if !module.starts_with('.') && !module.starts_with('/') && is_identifier {
            self.names.entry(module.to_owned()).or_default().insert(name.to_owned());
        }
    }
}

/// Whether a module awaits something outside of any function.
pub(super) fn awaits_at_top_level(program: &Program<'_>) -> bool {
    let mut search = Search { found: false };
    search.visit_program(program);
    search.found
}

struct Search {
    found: bool,
}

impl<'a> Visit<'a> for Search {
    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.found = true;
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.found |= statement.r#await;
        oxc_ast_visit::walk::walk_for_of_statement(self, statement);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.found |= declaration.kind.is_await();
        oxc_ast_visit::walk::walk_variable_declaration(self, declaration);
    }

    // What is in these runs later, or cannot await.
    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
    fn visit_static_block(&mut self, _: &StaticBlock<'a>) {}

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        self.visit_property_key(&property.key);
    }

    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        self.visit_property_key(&property.key);
    }
}
