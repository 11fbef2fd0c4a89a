//! "Did you mean": the known name that is nearest to a misspelt one.

/// Longer names are not compared: the work grows with the square.
const MAX_LENGTH: usize = 64;

/// The nearest of the known names, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if name.is_empty() || name.len() > MAX_LENGTH {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    let by_letters = known
        .clone()
        .into_iter()
        .map(|candidate| (distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance);
    by_letters.map(|(_, candidate)| candidate).or_else(|| nearest_by_part(name, known))
}

/// The shortest known name that the given one is a part of, or the longest that is a part of it.
fn nearest_by_part<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    const SHORTEST_PART: usize = 4;
    if name.len() < SHORTEST_PART {
        return None;
    }
    let longer = known.clone().into_iter().filter(|candidate| candidate.contains(name));
    let shorter =
        known.into_iter().filter(|candidate| candidate.len() >= SHORTEST_PART && name.contains(candidate));
    longer.min_by_key(|candidate| candidate.len()).or_else(|| shorter.max_by_key(|candidate| candidate.len()))
}

/// How many letters must be changed, added, left out or swapped with their neighbour (optimal
/// string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["particle", "particlecolor", "edge", "implicit-euler", "linearized-implicit-euler"];
        assert_eq!(nearest("partcile", known), Some("particle"));
        assert_eq!(nearest("Particle", known), Some("particle"));
        assert_eq!(nearest("implicit", known), Some("implicit-euler"));
        assert_eq!(nearest("linearized-implicit", known), Some("linearized-implicit-euler"));
        assert_eq!(nearest("banana", known), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), known), None);
        assert_eq!(nearest("q", ["k", "b"]), None);
    }
}
