//! A flat list of XML elements, for the corpus only: comments are dropped, nesting is ignored.

/// An element and its attributes in order.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.attributes.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        let text = self.get(name).unwrap_or_else(|| panic!("{} has no {name}", self.name));
        text.trim().parse().unwrap_or_else(|_| panic!("{name}={text} of {}", self.name))
    }
}

/// All elements of a document in order.
pub(crate) fn elements(text: &str) -> Vec<Element> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let end = if rest.starts_with("<!--") {
            rest.find("-->").unwrap() + 3
        } else {
            rest.find('>').unwrap() + 1
        };
        if rest[1..].starts_with(|c: char| c.is_alphabetic()) {
            found.push(element(&rest[1..end - 1]));
        }
        rest = &rest[end..];
    }
    found
}

fn element(text: &str) -> Element {
    let name_end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let mut attributes = Vec::new();
    let mut rest = &text[name_end..];
    while let Some(equals) = rest.find('=') {
        let key = rest[..equals].trim().to_string();
        let after = rest[equals + 1..].trim_start();
        let quote = after.chars().next().unwrap();
        let close = after[1..].find(quote).unwrap() + 1;
        attributes.push((key, after[1..close].to_string()));
        rest = &after[close + 1..];
    }
    Element { name: text[..name_end].to_string(), attributes }
}
