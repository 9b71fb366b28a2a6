//! Packs the pages under `docs/` into one compressed piece, which the program carries. Where there are no pages (a crate
//! without its repository) the piece is empty. In a release, functions with the same code become one.
#![expect(clippy::disallowed_methods, reason = "cargo speaks to build scripts by the environment")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> io::Result<()> {
    if is_linked_by_lld() && env::var_os("PROFILE").is_some_and(|profile| profile == "release") {
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=safe");
    }
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let docs = crate_dir.join("../../docs");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", docs.display());
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("docs.deflate");
    let mut packed = DeflateEncoder::new(fs::File::create(target)?, Compression::best());
    for page in pages(&docs)? {
        let text = fs::read(&page)?;
        let name = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // A line of name and length, then the page.
        writeln!(packed, "{name} {}", text.len())?;
        packed.write_all(&text)?;
    }
    packed.finish()?.flush()
}

fn pages(docs: &Path) -> io::Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(docs) else { return Ok(Vec::new()) };
    let mut pages: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    // What is new in each version is shown on request; it is no page of its own.
    pages.extend(Some(docs.join("../CHANGELOG.md")).filter(|file| file.exists()));
    Ok(pages)
}

/// Whether the linker is that of the compiler: its default on this target, unless something names another one.
fn is_linked_by_lld() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let names_another = ["linker", "fuse-ld"].iter().any(|part| flags.contains(part));
    let is_target = env::var_os("TARGET").is_some_and(|target| target == "x86_64-unknown-linux-gnu");
    is_target && !names_another && env::var_os("RUSTC_LINKER").is_none()
}
