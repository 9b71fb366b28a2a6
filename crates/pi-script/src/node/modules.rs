//! The modules by name.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::names;
use crate::module::Builtin;

/// Sources: `js/node/`, where `a/b` is the file `a_b.js`, and `js/internal/`.
const MODULES: &[(&str, &str)] = &[
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
    ("internal/server", include_str!("../../js/internal/server.js")),
    ("internal/compression_streams", include_str!("../../js/internal/compression_streams.js")),
    ("internal/lacking", include_str!("../../js/internal/lacking.js")),
    ("internal/message_channel", include_str!("../../js/internal/message_channel.js")),
    ("internal/navigator", include_str!("../../js/internal/navigator.js")),
    ("internal/web_crypto", include_str!("../../js/internal/web_crypto.js")),
    ("internal/web_socket", include_str!("../../js/internal/web_socket.js")),
    ("internal/web_socket_frames", include_str!("../../js/internal/web_socket_frames.js")),
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
    ("cluster", "module.exports = require('internal/lacking').given('cluster');"),
    ("domain", "module.exports = require('internal/lacking').given('domain');"),
    ("http2", "module.exports = require('internal/lacking').given('http2');"),
    ("inspector", "module.exports = require('internal/lacking').given('inspector');"),
    ("inspector/promises", "module.exports = require('internal/lacking').given('inspector');"),
    ("repl", "module.exports = require('internal/lacking').given('repl');"),
    ("test", "module.exports = require('internal/lacking').given('test');"),
    ("trace_events", "module.exports = require('internal/lacking').given('trace_events');"),
    ("_http_agent", "const { Agent, globalAgent } = require('http'); module.exports = { Agent, globalAgent };"),
    ("_http_client", "module.exports = { ClientRequest: require('http').ClientRequest };"),
    ("_http_common", "module.exports = { methods: require('http').METHODS };"),
    ("_http_incoming", "module.exports = { IncomingMessage: require('http').IncomingMessage };"),
    ("_http_outgoing", "module.exports = { OutgoingMessage: require('http').OutgoingMessage };"),
    (
        "_http_server",
        "const { Server, ServerResponse, STATUS_CODES } = require('http'); module.exports = { Server, ServerResponse, STATUS_CODES };",
    ),
    ("_stream_duplex", "module.exports = require('stream').Duplex;"),
    ("_stream_passthrough", "module.exports = require('stream').PassThrough;"),
    ("_stream_readable", "module.exports = require('stream').Readable;"),
    ("_stream_transform", "module.exports = require('stream').Transform;"),
    ("_stream_writable", "module.exports = require('stream').Writable;"),
    ("_tls_common", "const { createSecureContext } = require('tls'); module.exports = { createSecureContext };"),
    (
        "_tls_wrap",
        "const { TLSSocket, connect, createServer } = require('tls'); module.exports = { TLSSocket, connect, createServer };",
    ),
    ("internal/abort", include_str!("../../js/internal/abort.js")),
    ("internal/buffer_numbers", include_str!("../../js/internal/buffer_numbers.js")),
    ("internal/colors", include_str!("../../js/internal/colors.js")),
    ("internal/console", include_str!("../../js/internal/console.js")),
    ("internal/deep_equal", include_str!("../../js/internal/deep_equal.js")),
    ("internal/encoding", include_str!("../../js/internal/encoding.js")),
    ("internal/encodings", include_str!("../../js/internal/encodings.js")),
    ("internal/env_file", include_str!("../../js/internal/env_file.js")),
    ("internal/errors", include_str!("../../js/internal/errors.js")),
    ("internal/event_target", include_str!("../../js/internal/event_target.js")),
    ("internal/format", include_str!("../../js/internal/format.js")),
    ("internal/fs_calls", include_str!("../../js/internal/fs_calls.js")),
    ("internal/fs_constants", include_str!("../../js/internal/fs_constants.js")),
    ("internal/fs_dir", include_str!("../../js/internal/fs_dir.js")),
    ("internal/fs_paths", include_str!("../../js/internal/fs_paths.js")),
    ("internal/fs_stats", include_str!("../../js/internal/fs_stats.js")),
    ("internal/fs_streams", include_str!("../../js/internal/fs_streams.js")),
    ("internal/fs_watch", include_str!("../../js/internal/fs_watch.js")),
    ("internal/inspect", include_str!("../../js/internal/inspect.js")),
    ("internal/inspect_layout", include_str!("../../js/internal/inspect_layout.js")),
    ("internal/pairs", include_str!("../../js/internal/pairs.js")),
    ("internal/parse_args", include_str!("../../js/internal/parse_args.js")),
    ("internal/performance", include_str!("../../js/internal/performance.js")),
    ("internal/require", include_str!("../../js/internal/require.js")),
    ("internal/stream_base", include_str!("../../js/internal/stream_base.js")),
    ("internal/stream_duplex", include_str!("../../js/internal/stream_duplex.js")),
    ("internal/stream_finished", include_str!("../../js/internal/stream_finished.js")),
    ("internal/stream_operators", include_str!("../../js/internal/stream_operators.js")),
    ("internal/stream_readable", include_str!("../../js/internal/stream_readable.js")),
    ("internal/stream_writable", include_str!("../../js/internal/stream_writable.js")),
    ("internal/structured_clone", include_str!("../../js/internal/structured_clone.js")),
    ("internal/table", include_str!("../../js/internal/table.js")),
    ("internal/text_width", include_str!("../../js/internal/text_width.js")),
    ("internal/types", include_str!("../../js/internal/types.js")),
    ("internal/url", include_str!("../../js/internal/url.js")),
    ("assert", include_str!("../../js/node/assert.js")),
    ("assert/strict", include_str!("../../js/node/assert_strict.js")),
    ("async_hooks", include_str!("../../js/node/async_hooks.js")),
    ("buffer", include_str!("../../js/node/buffer.js")),
    ("console", include_str!("../../js/node/console.js")),
    ("constants", include_str!("../../js/node/constants.js")),
    ("events", include_str!("../../js/node/events.js")),
    ("fs", include_str!("../../js/node/fs.js")),
    ("fs/promises", include_str!("../../js/node/fs_promises.js")),
    ("module", include_str!("../../js/node/module.js")),
    ("os", include_str!("../../js/node/os.js")),
    ("path", include_str!("../../js/node/path.js")),
    ("path/posix", include_str!("../../js/node/path_posix.js")),
    ("path/win32", include_str!("../../js/node/path_win32.js")),
    ("perf_hooks", include_str!("../../js/node/perf_hooks.js")),
    ("process", include_str!("../../js/node/process.js")),
    ("punycode", include_str!("../../js/node/punycode.js")),
    ("querystring", include_str!("../../js/node/querystring.js")),
    ("readline", include_str!("../../js/node/readline.js")),
    ("readline/promises", include_str!("../../js/node/readline_promises.js")),
    ("stream", include_str!("../../js/node/stream.js")),
    ("stream/consumers", include_str!("../../js/node/stream_consumers.js")),
    ("stream/web", include_str!("../../js/node/stream_web.js")),
    ("stream/promises", include_str!("../../js/node/stream_promises.js")),
    ("string_decoder", include_str!("../../js/node/string_decoder.js")),
    ("sys", include_str!("../../js/node/sys.js")),
    ("timers", include_str!("../../js/node/timers.js")),
    ("timers/promises", include_str!("../../js/node/timers_promises.js")),
    ("tty", include_str!("../../js/node/tty.js")),
    ("undici", include_str!("../../js/node/undici.js")),
    ("url", include_str!("../../js/node/url.js")),
    ("util", include_str!("../../js/node/util.js")),
    ("util/types", include_str!("../../js/node/util_types.js")),
];

/// What begins so is a part of other modules; nobody imports it by name.
const INTERNAL: &str = "internal/";

/// A source by name, without prefix.
pub(super) fn source(bare: &str) -> Option<&'static Builtin> {
    static SOURCES: LazyLock<HashMap<&str, Builtin>> =
        LazyLock::new(|| MODULES.iter().map(|(name, source)| (*name, Builtin::module(name, source))).collect());
    SOURCES.get(bare)
}

/// The script that prepares the global object.
pub(super) fn bootstrap() -> &'static Builtin {
    static BOOTSTRAP: LazyLock<Builtin> =
        LazyLock::new(|| Builtin::function("internal/bootstrap", include_str!("../../js/internal/bootstrap.js")));
    &BOOTSTRAP
}

/// Whether scripts can import it. The rest is for the modules themselves.
pub(super) fn is_public(bare: &str) -> bool {
    !bare.starts_with(INTERNAL) && (source(bare).is_some() || names::is_listed(bare))
}
