//! Names that a file imports of a module of the program or of Node, and that it does not export, are `undefined`: a package
//! that mentions a name of another version, and uses it only there, can be loaded.
//!
//! The engine ends an import whose name is not there. So a file that imports names gets a module in between, which has them.

use std::fmt::Write as _;

use super::Modules;
use super::common_js::quoted;
use super::resolve::Resolved;

/// What the names of such modules begin with; no import of a script leads there.
const PREFIX: &str = "script:names/";

/// The name of the module in between, where there has to be one.
pub(super) fn between(modules: &Modules, referrer: &str, specifier: &str, found: &Resolved) -> Option<String> {
    let (Resolved::Provided(name) | Resolved::Node(name)) = found else { return None };
    let wanted = modules.wanted.borrow();
    let names = wanted.get(referrer)?.get(specifier)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Some(format!("{PREFIX}{name}?{}", names.join(",")))
}

/// The source of such a module.
pub(super) fn source(modules: &Modules, name: &str) -> Option<String> {
    let (real, names) = name.strip_prefix(PREFIX)?.rsplit_once('?')?;
    let has_default = modules.finder.table().get(real).is_none_or(|module| module.source.contains("export default"));
    let from = quoted(real);
    let mut code = format!("import*as all from {from};export*from {from};");
    // `export *` leaves it out.
    let default = (has_default && !names.split(',').any(|name| name == "default")).then_some("default");
    for (place, name) in names.split(',').chain(default).enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(code, "const e{place}=all.{name};export{{e{place} as {name}}};");
    }
    Some(code)
}
