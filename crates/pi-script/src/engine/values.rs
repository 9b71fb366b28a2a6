//! Values from the program's side to the script's and back.

use rquickjs::function::This;
use rquickjs::{Array, Ctx, Error as JsError, Exception, Function, Object, TypedArray, Value};

use crate::error::ScriptError;
use crate::module::Modules;
use crate::op::{Data, OpError, parse_json};

/// Makes an `AbortSignal` of a token.
pub(super) type MakeSignal<'a, 'js> = dyn Fn(tokio_util::sync::CancellationToken) -> rquickjs::Result<Value<'js>> + 'a;

/// A value for the script.
pub(super) fn to_js<'js>(ctx: &Ctx<'js>, data: Data, signal: &MakeSignal<'_, 'js>) -> rquickjs::Result<Value<'js>> {
    match data {
        Data::Undefined => Ok(Value::new_undefined(ctx.clone())),
        Data::Text(text) => Ok(rquickjs::String::from_str(ctx.clone(), &text)?.into_value()),
        // A copy counts as memory of the script.
        Data::Bytes(bytes) => Ok(TypedArray::<u8>::new_copy(ctx.clone(), bytes)?.into_value()),
        Data::Json(value) => ctx.json_parse(value.to_string()),
        Data::RawJson(text) => ctx.json_parse(text),
        Data::Signal(token) => signal(token),
        Data::Later(later) => {
            let make = move |ctx: Ctx<'js>| signalless(&ctx, later.make());
            Ok(Function::new(ctx.clone(), make)?.into_value())
        }
        Data::List(items) => {
            let array = Array::new(ctx.clone())?;
            for (index, item) in items.into_iter().enumerate() {
                array.set(index, to_js(ctx, item, signal)?)?;
            }
            Ok(array.into_value())
        }
    }
}

/// The same where nothing is called that a signal could belong to.
pub(super) fn signalless<'js>(ctx: &Ctx<'js>, data: Data) -> rquickjs::Result<Value<'js>> {
    to_js(ctx, data, &|_| Ok(Value::new_undefined(ctx.clone())))
}

/// A value of the script.
///
/// # Errors
/// When JSON cannot say it: a cycle, a BigInt.
pub(super) fn from_js<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> rquickjs::Result<Data> {
    if value.is_undefined() || value.is_function() || value.is_symbol() {
        return Ok(Data::Undefined);
    }
    if let Some(text) = value.as_string() {
        return Ok(Data::Text(text_of(text)));
    }
    if let Some(bytes) = value.as_object().and_then(bytes_of) {
        return Ok(Data::Bytes(bytes));
    }
    let Some(json) = ctx.json_stringify(value)? else { return Ok(Data::Undefined) };
    parse_json(&text_of(&json)).map(Data::Json).map_err(|error| Exception::throw_range(ctx, &error.to_string()))
}

/// Strings of scripts may hold halves of surrogate pairs, which have no UTF-8: they become replacement characters.
fn text_of(text: &rquickjs::String<'_>) -> String {
    text.to_string().or_else(|_| well_formed(text)?.to_string()).unwrap_or_default()
}

fn well_formed<'js>(text: &rquickjs::String<'js>) -> rquickjs::Result<rquickjs::String<'js>> {
    let class: Object = text.ctx().globals().get("String")?;
    let method: Function = class.get::<_, Object>("prototype")?.get("toWellFormed")?;
    method.call((This(text.clone()),))
}

/// A copy of the bytes of a `Uint8Array` (or `Buffer`).
#[expect(unsafe_code, reason = "the engine has no safe way to read its buffers but number by number")]
fn bytes_of(object: &Object<'_>) -> Option<Vec<u8>> {
    let array = object.as_typed_array::<u8>()?;
    // SAFETY: the bytes are copied before any code of the script can run again and change or free the buffer.
    unsafe { array.as_bytes() }.map(<[u8]>::to_vec)
}

/// An error for the script to throw.
pub(super) fn error_to_js<'js>(ctx: &Ctx<'js>, error: &OpError) -> rquickjs::Result<Value<'js>> {
    let class: rquickjs::function::Constructor = match error.name.as_str() {
        "TypeError" | "RangeError" | "SyntaxError" => ctx.globals().get(error.name.as_str())?,
        _ => ctx.globals().get("Error")?,
    };
    let object: Object = class.construct((error.message.as_str(),))?;
    if !error.name.is_empty() && object.get::<_, String>("name")? != error.name {
        object.set("name", error.name.as_str())?;
    }
    for (key, value) in &error.properties {
        object.set(key.as_str(), ctx.json_parse(value.to_string())?)?;
    }
    Ok(object.into_value())
}

/// What was thrown, in words. Takes the exception from the engine.
pub(super) fn caught(ctx: &Ctx<'_>, error: JsError, modules: &Modules) -> ScriptError {
    match error {
        JsError::Exception => described(&ctx.catch(), modules),
        other => ScriptError::new(other.to_string()),
    }
}

/// A thrown value in words. Whatever its own functions throw meanwhile is none of our business.
pub(super) fn described(thrown: &Value<'_>, modules: &Modules) -> ScriptError {
    let ctx = thrown.ctx().clone();
    let error = thrown.as_object().filter(|object| object.is_error());
    let said = error.map_or_else(|| in_words(thrown), |error| of_error(error, modules));
    let _ = ctx.catch();
    said
}

fn of_error(object: &Object<'_>, modules: &Modules) -> ScriptError {
    let text = |key: &str| object.get::<_, Option<rquickjs::String>>(key).ok().flatten().as_ref().map(text_of);
    let stack = text("stack").map(|stack| modules.in_source(&stack)).filter(|stack| !stack.trim().is_empty());
    ScriptError {
        name: text("name").unwrap_or_default(),
        message: text("message").unwrap_or_default(),
        code: text("code"),
        stack,
        is_error: true,
    }
}

/// What is no error: a text, else as JSON, else as `String` says it.
fn in_words(thrown: &Value<'_>) -> ScriptError {
    let ctx = thrown.ctx();
    let text = thrown.as_string().map(text_of);
    let json = || ctx.json_stringify(thrown).ok().flatten().as_ref().map(text_of);
    let own = || {
        let function: Function = ctx.globals().get("String").ok()?;
        function.call::<_, rquickjs::String>((thrown.clone(),)).ok().as_ref().map(text_of)
    };
    let message = text.or_else(json).or_else(own).unwrap_or_else(|| "something that has no words".to_owned());
    ScriptError { message, ..ScriptError::default() }
}
