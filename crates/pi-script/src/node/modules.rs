//! The modules by name.

/// Sources: `js/node/`, where `a/b` is the file `a_b.js`, and `js/internal/`.
const MODULES: &[(&str, &str)] = &[
    ("internal/require", include_str!("../../js/internal/require.js")),
    ("internal/blob", include_str!("../../js/internal/blob.js")),
    ("internal/child_options", include_str!("../../js/internal/child_options.js")),
    ("internal/child_sync", include_str!("../../js/internal/child_sync.js")),
    ("internal/fetch", include_str!("../../js/internal/fetch.js")),
    ("internal/fetch_body", include_str!("../../js/internal/fetch_body.js")),
    ("internal/fetch_headers", include_str!("../../js/internal/fetch_headers.js")),
    ("internal/form_data", include_str!("../../js/internal/form_data.js")),
    ("internal/http_client", include_str!("../../js/internal/http_client.js")),
    ("internal/http_message", include_str!("../../js/internal/http_message.js")),
    ("internal/http_server", include_str!("../../js/internal/http_server.js")),
    ("internal/intl", include_str!("../../js/internal/intl.js")),
    ("internal/listen_args", include_str!("../../js/internal/listen_args.js")),
    ("internal/web_crypto", include_str!("../../js/internal/web_crypto.js")),
    ("internal/web_socket", include_str!("../../js/internal/web_socket.js")),
    ("internal/web_streams", include_str!("../../js/internal/web_streams.js")),
    ("child_process", include_str!("../../js/node/child_process.js")),
    ("crypto", include_str!("../../js/node/crypto.js")),
    ("diagnostics_channel", include_str!("../../js/node/diagnostics_channel.js")),
    ("dns", include_str!("../../js/node/dns.js")),
    ("dns/promises", include_str!("../../js/node/dns_promises.js")),
    ("http", include_str!("../../js/node/http.js")),
    ("https", include_str!("../../js/node/https.js")),
    ("net", include_str!("../../js/node/net.js")),
    ("tls", include_str!("../../js/node/tls.js")),
    ("v8", include_str!("../../js/node/v8.js")),
    ("vm", include_str!("../../js/node/vm.js")),
    ("worker_threads", include_str!("../../js/node/worker_threads.js")),
    ("zlib", include_str!("../../js/node/zlib.js")),
];

/// The name under which the engine keeps a module of Node: with prefix. `None` if there is no such module.
pub(crate) fn module_name(specifier: &str) -> Option<String> {
    let bare = specifier.strip_prefix("node:").unwrap_or(specifier);
    source(bare).map(|_| format!("node:{bare}"))
}

/// Whether a name of the engine is that of a module of Node.
pub(crate) fn is_module(name: &str) -> bool {
    name.strip_prefix("node:").is_some_and(|bare| source(bare).is_some())
}

/// The source of a module, without prefix.
pub(crate) fn source(bare: &str) -> Option<&'static str> {
    MODULES.iter().find(|(name, _)| *name == bare).map(|(_, source)| *source)
}
