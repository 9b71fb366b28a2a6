//! A registry of npm packages on the loopback address: as much of the protocol as an installation needs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha512};

use crate::packages::world::World;

/// What is asked for, and what is answered.
type Pages = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A running registry; it ends with the process.
pub(crate) struct Registry {
    pub(crate) address: String,
    pages: Pages,
}

impl Registry {
    pub(crate) fn start() -> Self {
        Self::serving(PathBuf::new())
    }

    /// The same, which also serves the files below a directory.
    pub(crate) fn serving(files: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let pages = Pages::default();
        let shared = Arc::clone(&pages);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, files) = (Arc::clone(&shared), files.clone());
                std::thread::spawn(move || answer(stream, &pages, &files));
            }
        });
        Self { address, pages }
    }

    /// Publishes the directory `dir` of the world as a version of a package; it becomes the newest.
    pub(crate) fn publish(&self, world: &World, dir: &str, package: &Value) {
        let (name, version) = (package["name"].as_str().unwrap(), package["version"].as_str().unwrap());
        world.write(&format!("{dir}/package.json"), &package.to_string());
        let archive = world.path(&format!("{}-{version}.tgz", name.replace('/', "-")));
        // The directory in an archive may have any name, and is one.
        let (parent, last) = dir.rsplit_once('/').unwrap_or(("", dir));
        world.program(&["tar", "-czf", archive.to_str().unwrap(), last], parent);
        let bytes = std::fs::read(archive).unwrap();
        let integrity = format!("sha512-{}", STANDARD.encode(Sha512::digest(&bytes)));
        let file = format!("tarballs/{}-{version}.tgz", name.replace('/', "-"));
        let mut entry = package.clone();
        entry["dist"] = json!({ "tarball": format!("{}{file}", self.address), "integrity": integrity });
        let mut pages = self.pages.lock().unwrap();
        let page = name.replace('/', "%2f");
        let mut document: Value = pages.get(&page).map_or_else(
            || json!({ "name": name, "dist-tags": {}, "versions": {} }),
            |old| serde_json::from_slice(old).unwrap(),
        );
        document["dist-tags"]["latest"] = version.into();
        document["versions"][version] = entry;
        pages.insert(page, document.to_string().into_bytes());
        pages.insert(file, bytes);
    }

    /// Changes an archive behind its sum.
    pub(crate) fn tamper(&self, world: &World, file: &str) {
        world.write("other/index.js", "evil()\n");
        world.program(&["tar", "-czf", world.path("other.tgz").to_str().unwrap(), "other"], "");
        let bytes = std::fs::read(world.path("other.tgz")).unwrap();
        self.pages.lock().unwrap().insert(file.to_owned(), bytes);
    }
}

fn answer(stream: TcpStream, pages: &Pages, files: &Path) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut out = stream;
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request).ok()? == 0 {
            return None;
        }
        let mut header = String::new();
        while reader.read_line(&mut header).ok()? > 2 {
            header.clear();
        }
        let path = request.split(' ').nth(1)?.trim_start_matches('/').split('?').next()?.replace("%2F", "%2f");
        let page = pages.lock().unwrap().get(&path).cloned().or_else(|| std::fs::read(files.join(path)).ok());
        let (status, body) = page.map_or_else(|| ("404 Not Found", b"{}".to_vec()), |page| ("200 OK", page));
        write!(out, "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len())
            .ok()?;
        out.write_all(&body).ok()?;
    }
}
