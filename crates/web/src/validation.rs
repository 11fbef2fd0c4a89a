//! `carom validate` for a page: the names of the cases, and the numbers of one.

use crate::reply::Reply;
use carom_validation::{Finding, cases};
use serde_json::{Value, json};

/// Answers with the numbers of a case, or with all names where none is asked for.
pub(crate) fn validate(name: Option<&str>, reply: &mut Reply) -> Result<(), String> {
    match name {
        None => {
            let all: Vec<Value> =
                cases().iter().map(|case| json!({ "name": case.name, "about": case.about })).collect();
            reply.set("cases", all);
        }
        Some(name) => {
            let case = cases().into_iter().find(|case| case.name == name);
            let sheet = case.ok_or_else(|| format!("there is no case {name}"))?.run();
            reply.set("findings", sheet.findings.iter().map(row).collect::<Vec<Value>>());
        }
    }
    Ok(())
}

fn row(finding: &Finding) -> Value {
    json!({
        "method": finding.method, "quantity": finding.quantity, "right": finding.right, "ours": finding.ours,
        "error": finding.error(), "tolerance": finding.tolerance, "holds": finding.holds(),
        "failure": finding.failure,
    })
}

#[cfg(test)]
mod tests {
    use crate::Session;
    use carom::watch::Watch;

    fn asked(session: &mut Session, request: &str) -> serde_json::Value {
        let answer = session.handle(request, &mut || false);
        let length = answer.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        serde_json::from_slice(&answer[4..4 + length]).unwrap()
    }

    #[test]
    fn a_page_can_validate() {
        let mut session = Session::new();
        let all = asked(&mut session, r#"{"do":"validate"}"#);
        assert!(all["cases"].as_array().unwrap().len() >= 40);
        let one = asked(&mut session, r#"{"do":"validate","case":"two-masses"}"#);
        let findings = one["findings"].as_array().unwrap();
        assert!(!findings.is_empty() && findings.iter().all(|finding| finding["holds"] == true));
        assert_eq!(asked(&mut session, r#"{"do":"validate","case":"none"}"#)["ok"], false);
    }

    #[test]
    fn whoever_serves_others_does_not() {
        let mut session = Session::watched(Watch::default());
        assert_eq!(asked(&mut session, r#"{"do":"validate","case":"two-masses"}"#)["ok"], false);
    }
}
