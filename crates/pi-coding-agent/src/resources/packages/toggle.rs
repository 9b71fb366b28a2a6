//! Single resources, of packages and of the user's and the project's directories: which there are, which are used, and
//! how the settings say so.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::entries::{ListedPackage, base_dir, listed_packages, raw_entries, read_entry, save_entries};
use super::manifest::OnDisk;
use crate::config::settings::{ResourceKind, SettingsManager, SettingsScope};
use crate::resources::locate::explicit::{ListedResources, PathLists};
use crate::resources::locate::overrides::{choice, entries};
use crate::resources::locate::search::{Search, locate};
use crate::resources::locate::source::{Found, ResourcePlaces, Scope, SourceOrigin};
use crate::resources::{Error, PackageError};

const KINDS: [ResourceKind; 4] =
    [ResourceKind::Extensions, ResourceKind::Skills, ResourceKind::Prompts, ResourceKind::Themes];

/// A resource that can be switched off and on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceSwitch {
    /// Whose it is.
    pub scope: SettingsScope,
    /// The source of its package; `None` for what lies in a configuration directory or is listed by path.
    pub package: Option<String>,
    /// What it is.
    pub kind: ResourceKind,
    /// The file, or the directory of an extension.
    pub path: PathBuf,
    /// The path as the settings have it: relative to the package or the configuration directory where it is in there.
    pub name: String,
    /// Whether it is used.
    pub enabled: bool,
    /// The project's configuration directory above the working directory that it belongs to. Settings there are not
    /// written from below.
    pub outer: Option<PathBuf>,
}

/// All resources, those of packages behind the others. Blocks while directories are read.
pub fn resource_switches(settings: &SettingsManager, places: &ResourcePlaces) -> Vec<ResourceSwitch> {
    let (packages, _) = listed_packages(settings);
    let is_outer = |package: &ListedPackage| {
        package.scope == SettingsScope::Project && base_dir(settings, package.scope).as_ref() != Some(&package.base)
    };
    let there = packages.iter().filter(|package| package.is_there());
    let of_packages = there.flat_map(|package| switches_of(package, is_outer(package)));
    KINDS.into_iter().flat_map(|kind| top_level(kind, settings, places)).chain(of_packages).collect()
}

fn switches_of(package: &ListedPackage, is_outer: bool) -> Vec<ResourceSwitch> {
    let on_disk = OnDisk { path: &package.dir, confined: package.source.is_remote() };
    let mut found = Found::default();
    let (all, used) = (on_disk.resources(None, &mut found), on_disk.resources(package.filter(), &mut found));
    let outer = is_outer.then(|| package.base.clone());
    let of_kind = |kind| {
        let used: HashSet<&PathBuf> = used.of(kind).iter().collect();
        let outer = &outer;
        let switch = move |path: &PathBuf| ResourceSwitch {
            scope: package.scope,
            package: Some(package.text().to_owned()),
            kind,
            path: path.clone(),
            name: name_below(path, &package.dir),
            enabled: used.contains(path),
            outer: outer.clone(),
        };
        all.of(kind).iter().map(switch).collect::<Vec<_>>()
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

fn top_level(kind: ResourceKind, settings: &SettingsManager, places: &ResourcePlaces) -> Vec<ResourceSwitch> {
    let listed = ListedResources::paths_of(settings);
    let everything = ListedResources {
        user: plain(&listed.user),
        project: plain(&listed.project),
        outer: listed.outer.iter().map(|(dir, lists)| (dir.clone(), plain(lists))).collect(),
        ..ListedResources::default()
    };
    let outer_dir = |dir: &Path| listed.outer.iter().find(|(outer, _)| outer == dir).map(|(outer, _)| outer.clone());
    let search = |listed| {
        let found = &mut Found::<()>::default();
        locate(Search { kind, places, listed, explicit: &[], discover: true }, found)
    };
    let used: HashSet<PathBuf> = search(&listed).into_iter().map(|file| file.path).collect();
    let mut seen = HashSet::new();
    let all = search(&everything).into_iter().filter(|file| seen.insert(file.path.clone()));
    let switch = |file: crate::resources::locate::search::Located| {
        let info = file.origin.info(&file.path);
        let scope = match (info.origin, info.scope) {
            (SourceOrigin::TopLevel, Scope::User) => SettingsScope::Global,
            (SourceOrigin::TopLevel, Scope::Project) => SettingsScope::Project,
            _ => return None,
        };
        let outer = outer_dir(file.origin.base_dir());
        let base = outer.clone().or_else(|| base_dir(settings, scope))?;
        let (name, enabled) = (name_below(&file.path, &base), used.contains(&file.path));
        Some(ResourceSwitch { scope, package: None, kind, path: file.path, name, enabled, outer })
    };
    all.filter_map(switch).collect()
}

/// The lists without what switches off and on.
fn plain(lists: &PathLists) -> PathLists {
    let plain =
        |list: &[String]| list.iter().filter(|entry| !entry.trim().starts_with(['!', '+', '-'])).cloned().collect();
    PathLists {
        extensions: plain(&lists.extensions),
        skills: plain(&lists.skills),
        prompts: plain(&lists.prompts),
        themes: plain(&lists.themes),
    }
}

fn name_below(path: &Path, base: &Path) -> String {
    match path.strip_prefix(base) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
        _ => path.to_string_lossy().into_owned(),
    }
}

/// Switches a resource off or on, in the settings that name it.
///
/// # Errors
/// [`PackageError::OfOuterProject`]; those of saving, see [`SettingsManager::set`].
pub fn set_resource(settings: &SettingsManager, switch: &ResourceSwitch, enabled: bool) -> Result<(), Error> {
    if let Some(dir) = &switch.outer {
        return Err(PackageError::OfOuterProject { path: switch.path.clone(), dir: dir.clone() }.into());
    }
    match &switch.package {
        Some(source) => set_in_package(settings, switch, source, enabled),
        None => {
            let base = base_dir(settings, switch.scope).unwrap_or_default();
            let list = settings.resources().paths(switch.scope, switch.kind);
            let mut list = without(&list, switch);
            let is_allowed = entries(&list, &base).overrides.allow(&switch.path, &base);
            if is_allowed != enabled {
                list.push(format!("{}{}", if enabled { '+' } else { '-' }, switch.name));
            }
            settings.resources().set_paths(switch.scope, switch.kind, &list).map_err(Into::into)
        }
    }
}

fn set_in_package(
    settings: &SettingsManager,
    switch: &ResourceSwitch,
    source: &str,
    enabled: bool,
) -> Result<(), Error> {
    let mut all = raw_entries(settings, switch.scope);
    let fits =
        |entry: &&mut Value| read_entry(settings, switch.scope, entry).is_some_and(|listed| listed.text() == source);
    let Some(entry) = all.iter_mut().find(fits) else { return Ok(()) };
    let mut object = match entry {
        Value::Object(object) => object.clone(),
        _ => Map::from_iter([("source".to_owned(), Value::from(source))]),
    };
    let dir = read_entry(settings, switch.scope, entry).map(|listed| listed.dir).unwrap_or_default();
    match new_filter(object.get(switch.kind.key()), switch, &dir, enabled) {
        Some(list) => drop(object.insert(switch.kind.key().to_owned(), list.into())),
        None => drop(object.shift_remove(switch.kind.key())),
    }
    *entry = if object.len() == 1 { Value::from(source) } else { Value::Object(object) };
    save_entries(settings, switch.scope, all)
}

/// The filter for one kind; `None` lets everything through.
fn new_filter(old: Option<&Value>, switch: &ResourceSwitch, dir: &Path, enabled: bool) -> Option<Vec<String>> {
    let old: Option<Vec<String>> = old.and_then(|old| serde_json::from_value(old.clone()).ok());
    if old.as_ref().is_some_and(Vec::is_empty) {
        // Nothing so far: from now on this alone.
        return Some(if enabled { vec![escaped(&switch.name)] } else { Vec::new() });
    }
    let old = old.unwrap_or_default();
    let mut list = without(&old, switch);
    if choice(&list, dir).overrides.allow(&switch.path, dir) != enabled {
        list.push(format!("{}{}", if enabled { '+' } else { '-' }, switch.name));
    }
    (!list.is_empty()).then_some(list)
}

/// A list without what says something about exactly this resource.
fn without(list: &[String], switch: &ResourceSwitch) -> Vec<String> {
    let of_dir = |path: &str| path.strip_suffix("/SKILL.md").map(str::to_owned);
    let path = switch.path.to_string_lossy().into_owned();
    let names: Vec<String> =
        [of_dir(&switch.name), of_dir(&path)].into_iter().flatten().chain([switch.name.clone(), path]).collect();
    let is_about = |entry: &String| {
        let rest = entry.trim().strip_prefix(['!', '+', '-']);
        rest.is_some_and(|rest| names.iter().any(|name| name == rest.trim_start_matches("./").trim_end_matches('/')))
    };
    list.iter().filter(|entry| !is_about(entry)).cloned().collect()
}

/// A path as a pattern that means itself.
fn escaped(path: &str) -> String {
    path.chars().map(|c| if "*?[]{}".contains(c) { format!("[{c}]") } else { c.to_string() }).collect()
}
