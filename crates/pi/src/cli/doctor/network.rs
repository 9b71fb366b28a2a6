//! Proxies and certificates in force, and whether the default model's server answers. Values are shown without
//! passwords.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pi_ai::transport::{HttpRequest, HttpTransport, ReqwestTransport};

use super::examined::Examined;
use super::models::host;
use super::report::Section;
use pi_coding_agent::models::{InitialModelRequest, find_initial_model};

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(15);

const PROXIES: [&str; 6] = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const NO_PROXY: [&str; 2] = ["no_proxy", "NO_PROXY"];
const BEGIN: &str = "-----BEGIN CERTIFICATE-----";

/// Proxies and certificates.
pub(super) fn section(examined: &Examined) -> Section {
    let mut section = Section::new("Network");
    for name in PROXIES {
        if let Some(value) = examined.env().var(name) {
            section.ok(name, format!("requests go through {}", host(&value)));
        }
    }
    if let Some(proxy) = examined.settings.network().http_proxy() {
        section.ok("httpProxy", format!("{} where no variable names another", host(&proxy)));
    }
    for name in NO_PROXY {
        if let Some(value) = examined.env().var(name) {
            section.ok(name, format!("directly: {value}"));
        }
    }
    certificates(examined, &mut section);
    match transport(examined).check() {
        Err(error) => section.complaint("requests", error.to_string()),
        Ok(()) if section.findings.is_empty() => section.ok("requests", "directly, with the system's certificates"),
        Ok(()) => {}
    }
    section
}

fn transport(examined: &Examined) -> ReqwestTransport {
    crate::cli::network::transport(&examined.settings, examined.env())
}

fn certificates(examined: &Examined, section: &mut Section) {
    let variable = |name: &str| examined.env().var(name);
    if let Some(file) = variable("SSL_CERT_FILE") {
        match count(Path::new(&file)) {
            Ok(0) => section.attention("SSL_CERT_FILE", format!("{file} holds no certificate"), "name a PEM file"),
            Ok(number) => section.ok("SSL_CERT_FILE", format!("{file}, certificates in it: {number}")),
            Err(error) => {
                let remedy = "name a file that can be read, or unset the variable";
                section.attention("SSL_CERT_FILE", format!("{file}: {error}"), remedy);
            }
        }
    }
    if let Some(dir) = variable("SSL_CERT_DIR") {
        let unusable = std::env::split_paths(&dir).find(|dir| fs::read_dir(dir).is_err());
        match unusable {
            None => section.ok("SSL_CERT_DIR", dir),
            Some(unusable) => {
                let detail = format!("{} cannot be read", unusable.display());
                section.attention("SSL_CERT_DIR", detail, "name directories that can be read, or unset the variable");
            }
        }
    }
    if let Some(file) = variable("NODE_EXTRA_CA_CERTS") {
        let remedy = "this program does not read it: set SSL_CERT_FILE to a file that holds these and the usual certificates, or add them to the system's";
        let found = count(Path::new(&file)).map(|number| format!("certificates in it: {number}"));
        let detail = format!("{file}: {}", found.unwrap_or_else(|error| error.to_string()));
        section.attention("NODE_EXTRA_CA_CERTS", detail, remedy);
    }
}

fn count(file: &Path) -> std::io::Result<usize> {
    Ok(String::from_utf8_lossy(&fs::read(file)?).matches(BEGIN).count())
}

/// Asks the server of the model that a new session would start with. Any answer is good news, and no key is sent.
pub(super) fn online(examined: &Examined) -> Section {
    let mut section = Section::new("Online");
    let (provider, id) = (examined.settings.models().default_provider(), examined.settings.models().default_model());
    let default = provider.as_deref().zip(id.as_deref());
    let request = InitialModelRequest { default, ..InitialModelRequest::default() };
    let Some(model) = find_initial_model(request, &examined.models).model else {
        section.note("the default model", "there is none, so no server was asked");
        return section;
    };
    let server = host(&model.base_url).to_owned();
    match ask(examined, &model.base_url) {
        Ok(status) => section.ok(server, format!("answered with status {status}")),
        Err(detail) => {
            section.attention(server, detail, "check the address, the proxy and whether the network can be reached");
        }
    }
    section
}

fn ask(examined: &Examined, url: &str) -> Result<u16, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start: {error}"))?;
    let transport = transport(examined);
    let request = HttpRequest {
        method: "GET".parse().unwrap_or_default(),
        url: url.to_owned(),
        headers: Default::default(),
        body: Default::default(),
    };
    let answer = runtime.block_on(async { tokio::time::timeout(PATIENCE, transport.send(request)).await });
    match answer {
        Ok(Ok(response)) => Ok(response.status),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}
