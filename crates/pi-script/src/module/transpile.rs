//! TypeScript to JavaScript: types go, what has a meaning at run time (enums, namespaces, parameter properties,
//! decorators) is translated. Nothing is checked.

use std::path::Path;

use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{Parser, ParserReturn};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use oxc_transformer::{DecoratorOptions, HelperLoaderMode, TransformOptions, Transformer, TypeScriptOptions};

use super::imports::{Imports, awaits_at_top_level};
use super::nesting;
use super::positions::Positions;
use crate::error::Error;

/// Names of Node that modules get only if they use them without declaring them.
const NODE_NAMES: &[&str] = &["require", "__filename", "__dirname", "module", "exports"];

/// A file as the engine can run it.
#[derive(Debug)]
pub(crate) struct Transpiled {
    pub(crate) code: String,
    /// From lines of `code` to those of the file.
    pub(crate) positions: Positions,
    /// Whether it is written as an ES module.
    pub(crate) is_module: bool,
    /// Which of Node's names it uses without declaring them.
    pub(crate) node_names: Vec<&'static str>,
    pub(crate) imports: Imports,
    /// Whether it awaits something outside of any function.
    pub(crate) awaits: bool,
}

/// Translates a file. JavaScript goes through as well: it tells what kind of module it is.
///
/// Parser, transformer and printer recurse with the nesting of the source and know no limit, and a stack that overflows
/// ends the whole program. So they run on a thread whose stack is large enough for the source at hand.
///
/// # Errors
/// [`Error::Syntax`], with file, line and column; for source that is nested too deeply, too. [`Error::Thread`].
pub(crate) fn transpile(path: &Path, source: &str) -> Result<Transpiled, Error> {
    let stack = nesting::stack_for(path, source)?;
    std::thread::scope(|scope| {
        let work = || translate(path, source);
        let thread = std::thread::Builder::new().name("js translator".to_owned()).stack_size(stack);
        let thread = thread.spawn_scoped(scope, work).map_err(Error::Thread)?;
        let failed = |_| Err(Error::Syntax(format!("{}: the translator failed on it", path.display())));
        thread.join().unwrap_or_else(failed)
    })
}

fn translate(path: &Path, source: &str) -> Result<Transpiled, Error> {
    let allocator = Allocator::default();
    let ParserReturn { mut program, diagnostics, panicked, module_record, .. } =
        Parser::new(&allocator, source, source_type(path)).parse();
    if panicked || !diagnostics.is_empty() {
        return Err(syntax_error(path, source, diagnostics.iter().next()));
    }
    let is_module = module_record.has_module_syntax;
    let imports = Imports::of(&module_record);
    let awaits = awaits_at_top_level(&program);
    let scoping = SemanticBuilder::new().with_excess_capacity(2.0).with_enum_eval(true).build(&program);
    let scoping = scoping.semantic.into_scoping();
    let unresolved = scoping.root_unresolved_references();
    let node_names = NODE_NAMES.iter().copied().filter(|name| unresolved.contains_key(*name)).collect();
    let transformed = Transformer::new(&allocator, path, &options()).build_with_scoping(scoping, &mut program);
    if !transformed.diagnostics.is_empty() {
        return Err(syntax_error(path, source, transformed.diagnostics.iter().next()));
    }
    let codegen = CodegenOptions {
        comments: CommentOptions::disabled(),
        source_map_path: Some(path.to_owned()),
        ..CodegenOptions::default()
    };
    let generated = Codegen::new().with_options(codegen).build(&program);
    let positions = generated.map.as_ref().map(Positions::of).unwrap_or_default();
    Ok(Transpiled { code: generated.code, positions, is_module, node_names, imports, awaits })
}

fn options() -> TransformOptions {
    let typescript = TypeScriptOptions { only_remove_type_imports: false, ..TypeScriptOptions::default() };
    let decorator = DecoratorOptions { legacy: true, ..DecoratorOptions::default() };
    let mut options = TransformOptions { typescript, decorator, ..TransformOptions::default() };
    options.helper_loader.mode = HelperLoaderMode::External;
    options
}

/// By the file's name; a script may turn out to be a module.
fn source_type(path: &Path) -> SourceType {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("ts" | "mts" | "cts") => SourceType::ts(),
        Some("tsx") => SourceType::tsx(),
        Some("jsx") => SourceType::jsx(),
        Some("cjs") => SourceType::cjs(),
        Some("mjs") => SourceType::mjs(),
        _ => SourceType::unambiguous(),
    }
}

fn syntax_error(path: &Path, source: &str, diagnostic: Option<&OxcDiagnostic>) -> Error {
    let Some(diagnostic) = diagnostic else {
        return Error::Syntax(format!("{}: it cannot be parsed", path.display()));
    };
    let offset = diagnostic.labels.iter().next().map_or(0, |label| label.offset() as usize);
    let before = source.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Error::Syntax(format!("{}:{line}:{column}: {}", path.display(), diagnostic.message))
}
