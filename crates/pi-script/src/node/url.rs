//! Addresses, by the URL standard; the parts have the names of its `URL` class.

use serde_json::{Value, json};
use url::{Url, form_urlencoded, quirks};

use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("url.parse", |_, args| parse(args));
    ops.add_sync("url.set", |_, args| set(args));
    ops.add_sync("url.query_parse", |_, mut args| {
        let query = args.text(0)?;
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Ok(Data::json(&pairs))
    });
    ops.add_sync("url.query_write", |_, mut args| {
        let pairs: Vec<(String, String)> = args.parse(0)?;
        Ok(Data::Text(form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()))
    });
    ops.add_sync("url.domain_to_ascii", |_, mut args| Ok(Data::Text(quirks::domain_to_ascii(&args.text(0)?))));
    ops.add_sync("url.domain_to_unicode", |_, mut args| Ok(Data::Text(quirks::domain_to_unicode(&args.text(0)?))));
}

/// The parts of an address; `undefined` if it is none.
fn parse(mut args: Args) -> OpResult {
    let input = args.text(0)?;
    let base = match args.text_or_none(1)? {
        None => None,
        Some(base) => match Url::parse(&base) {
            Ok(base) => Some(base),
            Err(_) => return Ok(Data::Undefined),
        },
    };
    Ok(Url::options().base_url(base.as_ref()).parse(&input).map_or(Data::Undefined, |url| parts(&url).into()))
}

/// An address with one part changed. What cannot be set leaves it as it is.
fn set(mut args: Args) -> OpResult {
    let (href, part, value) = (args.text(0)?, args.text(1)?, args.text(2)?);
    let mut url = Url::parse(&href).map_err(|_| OpError::type_error("Invalid URL").with("code", "ERR_INVALID_URL"))?;
    // The setters of the standard are silent.
    let _ = match part.as_str() {
        "protocol" => quirks::set_protocol(&mut url, &value),
        "username" => quirks::set_username(&mut url, &value),
        "password" => quirks::set_password(&mut url, &value),
        "host" => quirks::set_host(&mut url, &value),
        "hostname" => quirks::set_hostname(&mut url, &value),
        "port" => quirks::set_port(&mut url, &value),
        "pathname" => {
            quirks::set_pathname(&mut url, &value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, &value);
            Ok(())
        }
        "hash" => {
            quirks::set_hash(&mut url, &value);
            Ok(())
        }
        other => return Err(OpError::type_error(format!("A URL has no part {other}"))),
    };
    Ok(parts(&url).into())
}

fn parts(url: &Url) -> Value {
    json!({
        "href": quirks::href(url),
        "origin": quirks::origin(url),
        "protocol": quirks::protocol(url),
        "username": quirks::username(url),
        "password": quirks::password(url),
        "host": quirks::host(url),
        "hostname": quirks::hostname(url),
        "port": quirks::port(url),
        "pathname": quirks::pathname(url),
        "search": quirks::search(url),
        "hash": quirks::hash(url),
    })
}
