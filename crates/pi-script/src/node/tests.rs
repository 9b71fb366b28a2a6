//! The operations for Node's modules and the modules in `js/` that call them: neither side has a name that the other lacks.

use std::path::Path;

use pi_test_kit::script_ops::{Composed, Names, differences};

use crate::engine::{OpTable, Platform, Provisions};

/// The operations on files, which modules call by what they plan.
const FILES: &[&str] = &["call(", "stats(", "named("];

/// Where modules make the name of an operation of parts.
const COMPOSED: &[Composed] = &[
    Composed { file: "internal/bootstrap.js", expression: "name", names: Names::Passed },
    Composed {
        file: "internal/fs_calls.js",
        expression: "`fs.${planned.op}`",
        names: Names::After { prefix: "fs.", before: FILES },
    },
    Composed {
        file: "internal/fs_calls.js",
        expression: "`fs.later.${planned.op}`",
        names: Names::After { prefix: "fs.later.", before: FILES },
    },
    Composed {
        file: "internal/server.js",
        expression: "this.#kind.operation",
        names: Names::These(&["net.listen", "net.http.listen"]),
    },
    Composed {
        file: "internal/web_crypto.js",
        expression: "`crypto.${direction}`",
        names: Names::These(&["crypto.encrypt", "crypto.decrypt"]),
    },
    Composed {
        file: "node/crypto.js",
        expression: "`crypto.${direction}`",
        names: Names::These(&["crypto.encrypt", "crypto.decrypt"]),
    },
    Composed {
        file: "node/zlib.js",
        expression: "`zlib.${operation}`",
        names: Names::These(&["zlib.pack", "zlib.unpack"]),
    },
    Composed {
        file: "node/zlib.js",
        expression: "`zlib.${operation}_later`",
        names: Names::These(&["zlib.pack_later", "zlib.unpack_later"]),
    },
];

#[test]
fn operations_and_modules_have_the_same_names() {
    let mut table = OpTable::default();
    Platform::node().0.add_ops(&mut table, Provisions::default());
    let operations: Vec<String> = table.names().map(str::to_owned).collect();
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("js");
    assert_eq!(differences(&modules, COMPOSED, &operations), [""; 0]);
}
