//! A page as a browser's parser sees it, and the list of what may be in one.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element: name, attributes, text directly in it.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// All elements in order, and what the parser had to complain about.
pub(crate) fn parse(html: &str) -> (Vec<Element>, Vec<String>) {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut elements = Vec::new();
    collect(&dom.document, &mut elements);
    let errors = dom.errors.borrow().iter().map(ToString::to_string).collect();
    (elements, errors)
}

fn collect(root: &Handle, elements: &mut Vec<Element>) {
    // Not recursive: a broken page may be very deep.
    let mut open = vec![root.clone()];
    while let Some(node) = open.pop() {
        assert!(!matches!(node.data, NodeData::Comment { .. }), "a comment: {:?}", node.data);
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attributes = attrs.borrow();
            let attributes = attributes.iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect();
            elements.push(Element { name: name.local.to_string(), attributes, text: text_in(&node) });
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
}

fn text_in(node: &Handle) -> String {
    let children = node.children.borrow();
    let texts = children.iter().filter_map(|child| match &child.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}

/// Elements and the attributes that each may have besides `class` and `id`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("title", &[]),
    ("style", &[]),
    ("script", &["type", "data-name"]),
    ("body", &[]),
    ("input", &["type", "placeholder", "aria-label"]),
    ("label", &["for"]),
    ("nav", &["data-show"]),
    ("select", &["aria-label"]),
    ("option", &["value"]),
    ("button", &["type", "title"]),
    ("main", &[]),
    ("header", &[]),
    ("article", &[]),
    ("details", &["open", "data-up", "data-down"]),
    ("summary", &[]),
    ("div", &["data-segment"]),
    ("a", &["href", "title", "rel", "target", "tabindex"]),
    ("figure", &[]),
    ("figcaption", &[]),
    ("svg", &["role", "aria-label", "preserveAspectRatio", "viewBox", "width"]),
    ("rect", &["x", "y", "width", "height"]),
    ("time", &["datetime"]),
    ("img", &["alt", "loading", "src"]),
    ("ol", &["start"]),
    ("p", &[]),
    ("h1", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("b", &[]),
    ("i", &[]),
    ("em", &[]),
    ("strong", &[]),
    ("del", &[]),
    ("ins", &[]),
    ("span", &[]),
    ("code", &[]),
    ("pre", &[]),
    ("ul", &[]),
    ("li", &[]),
    ("blockquote", &[]),
    ("br", &[]),
    ("hr", &[]),
    ("table", &[]),
    ("tbody", &[]),
    ("tr", &[]),
    ("th", &[]),
    ("td", &[]),
];

const IDS: &[&str] = &[
    "tree",
    "tree-open",
    "tree-button",
    "find",
    "show",
    "tools",
    "theme",
    "fold-thinking",
    "fold-tools",
    "download",
    "session",
];

/// Fails unless a page holds nothing but what pages are made of.
pub(crate) fn check(html: &str) -> Vec<Element> {
    let (elements, errors) = parse(html);
    assert!(errors.is_empty(), "{errors:?}");
    for element in &elements {
        let allowed = ALLOWED.iter().find(|(name, _)| *name == element.name);
        let (_, attributes) = allowed.unwrap_or_else(|| panic!("an element of the session's own: {element:?}"));
        for (name, value) in &element.attributes {
            check_attribute(element, attributes, name, value);
        }
    }
    let count = |name: &str| elements.iter().filter(|element| element.name == name).count();
    // The page's script, and the session as data, which a browser does not run.
    assert_eq!((count("script"), count("style"), count("nav")), (2, 1, 1));
    let scripts: Vec<Option<&str>> =
        elements.iter().filter(|element| element.name == "script").map(|script| script.get("type")).collect();
    assert_eq!(scripts, [None, Some("application/x-ndjson")]);
    // The page's title, and one for each bar of the chart.
    let titles = elements.iter().filter(|element| element.name == "title").skip(1);
    assert!(titles.clone().all(|title| title.text.starts_with("Turn ")), "{:?}", titles.collect::<Vec<_>>());
    elements
}

fn check_attribute(element: &Element, allowed: &[&str], name: &str, value: &str) {
    let numbered = |prefix: &str| {
        let number = value.strip_prefix(prefix);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let fine = match name {
        "class" => {
            value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b" -".contains(&byte))
        }
        "id" => numbered("e") || numbered("s") || IDS.contains(&value),
        "href" => {
            numbered("#e") || ["http://", "https://", "mailto:"].iter().any(|s| value.to_lowercase().starts_with(s))
        }
        "src" => is_image(value),
        "x" | "y" | "width" | "height" => value.parse::<f64>().is_ok_and(f64::is_finite),
        "data-name" => value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)),
        "data-up" | "data-down" | "data-segment" => numbered("s"),
        name => allowed.contains(&name),
    };
    let known = matches!(name, "class" | "id") || allowed.contains(&name);
    assert!(known && fine, "{name}={value:?} in {element:?}");
}

fn is_image(source: &str) -> bool {
    let types = ["png", "jpeg", "gif", "webp"];
    let data = types.iter().find_map(|kind| source.strip_prefix(&format!("data:image/{kind};base64,")));
    data.is_some_and(|data| data.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)))
}
