//! Finds the string literal of one field in a line of JSON and checks the whole line.
//!
//! A general parser would return the decoded value without its position, which is needed here. The
//! grammar is RFC 8259. Open brackets are kept in a list, not on the call stack, so no line is nested
//! too deeply.

use super::literal;
use bstr::ByteSlice;
use std::ops::Range;

/// How many of the existing fields an error lists.
const LISTED_FIELDS: usize = 20;

/// An error in a line, and its byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) at: usize,
    pub(super) reason: String,
}

type Found<T> = Result<T, Problem>;

/// The range of the literal, quotes included, that `field` has in the object `json`.
///
/// A key that is literally `field` takes precedence over a dotted path. Of equal keys the first is used.
pub(super) fn locate(json: &[u8], field: &str) -> Found<Range<usize>> {
    let mut scanner = Scanner { bytes: json, at: 0 };
    scanner.skip_space();
    let (first, inner) = field.split_once('.').unwrap_or((field, ""));
    let (mut whole, mut outer) = (None, None);
    scanner.object(|key, value| {
        if whole.is_none() && is_key(&json[key.clone()], field) {
            whole = Some(value);
        } else if outer.is_none() && is_key(&json[key], first) {
            outer = Some(value);
        }
    })?;
    scanner.skip_space();
    if scanner.at < json.len() {
        return Err(scanner.problem("expected the end of the line; one line holds one object"));
    }
    let value = match (whole, outer) {
        (Some(value), _) => value,
        (None, Some(outer)) => descend(json, outer, inner, field)?,
        (None, None) => return Err(missing(json, 0, field)),
    };
    if json[value.start] == b'"' {
        return Ok(value);
    }
    let kind = kind_of(json[value.start]);
    Err(Problem { at: value.start, reason: format!("field `{field}` is {kind}, not a string") })
}

/// Follows the dotted `path` from the value at `outer`.
fn descend(json: &[u8], outer: Range<usize>, path: &str, field: &str) -> Found<Range<usize>> {
    let mut value = outer;
    for part in path.split('.') {
        let mut inner = None;
        if json[value.start] == b'{' {
            Scanner { bytes: json, at: value.start }.object(|key, found| {
                if inner.is_none() && is_key(&json[key], part) {
                    inner = Some(found);
                }
            })?;
        }
        value = inner.ok_or_else(|| missing(json, value.start, field))?;
    }
    Ok(value)
}

/// Whether `literal` is exactly one string literal.
pub(super) fn is_string(literal: &[u8]) -> bool {
    literal.first() == Some(&b'"')
        && Scanner { bytes: literal, at: 0 }.string() == Ok(0..literal.len())
}

fn is_key(literal: &[u8], name: &str) -> bool {
    if literal.contains(&b'\\') {
        let mut decoded = Vec::new();
        literal::decode(literal, &mut decoded);
        decoded == name.as_bytes()
    } else {
        &literal[1..literal.len() - 1] == name.as_bytes()
    }
}

/// The problem that `field` does not exist, with a list of the fields in the value at `at`.
fn missing(json: &[u8], at: usize, field: &str) -> Problem {
    let mut scanner = Scanner { bytes: json, at };
    scanner.skip_space();
    let at = scanner.at;
    // A long line may have millions of keys; only those that are listed are kept.
    let (mut keys, mut key_count) = (Vec::new(), 0usize);
    let is_object = scanner
        .object(|key, _| {
            key_count += 1;
            if key_count <= LISTED_FIELDS {
                keys.push(key);
            }
        })
        .is_ok();
    let mut reason = format!("there is no field `{field}`; ");
    if !is_object {
        reason += &format!("here is {}, not an object", kind_of(json[at]));
    } else if keys.is_empty() {
        reason += "the object here is empty";
    } else {
        let names: Vec<_> =
            keys.iter().map(|key| json[key.start + 1..key.end - 1].to_str_lossy()).collect();
        reason += &format!("the fields here are `{}`", names.join("`, `"));
        if key_count > keys.len() {
            reason += &format!(" and {} more", key_count - keys.len());
        }
    }
    Problem { at, reason }
}

/// The kind of value that begins with `byte`.
fn kind_of(byte: u8) -> &'static str {
    match byte {
        b'{' => "an object",
        b'[' => "an array",
        b'"' => "a string",
        b't' | b'f' => "a boolean",
        b'n' => "null",
        _ => "a number",
    }
}

/// A position in a line of JSON.
struct Scanner<'j> {
    bytes: &'j [u8],
    at: usize,
}

impl Scanner<'_> {
    /// Reads an object and calls `member` with the ranges of each key and value.
    fn object(&mut self, mut member: impl FnMut(Range<usize>, Range<usize>)) -> Found<()> {
        self.expect(b'{', "expected an object, `{`")?;
        self.skip_space();
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            let value = self.value()?;
            member(key, value);
            self.skip_space();
            if self.eat(b'}') {
                return Ok(());
            }
            self.expect(b',', "expected `,` or `}`")?;
            self.skip_space();
        }
    }

    /// Reads a value of any kind.
    fn value(&mut self) -> Found<Range<usize>> {
        let start = self.at;
        let mut open_until = Vec::new();
        loop {
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    self.skip_space();
                    if !self.eat(b'}') {
                        self.key()?;
                        open_until.push(b'}');
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.skip_space();
                    if !self.eat(b']') {
                        open_until.push(b']');
                        continue;
                    }
                }
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                _ => self.word()?,
            }
            loop {
                let Some(&end) = open_until.last() else { return Ok(start..self.at) };
                self.skip_space();
                if self.eat(end) {
                    open_until.pop();
                    continue;
                }
                let in_object = end == b'}';
                let otherwise =
                    if in_object { "expected `,` or `}`" } else { "expected `,` or `]`" };
                self.expect(b',', otherwise)?;
                self.skip_space();
                if in_object {
                    self.key()?;
                }
                break;
            }
        }
    }

    /// Reads a key and its colon, up to the value. Returns the range of the key.
    fn key(&mut self) -> Found<Range<usize>> {
        if self.peek() != Some(b'"') {
            return Err(self.problem("expected a key in double quotes"));
        }
        let key = self.string()?;
        self.skip_space();
        self.expect(b':', "expected `:`")?;
        self.skip_space();
        Ok(key)
    }

    fn string(&mut self) -> Found<Range<usize>> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &self.bytes[self.at..];
            let special = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..b' '));
            self.at += special.unwrap_or(rest.len());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(start..self.at);
                }
                Some(b'\\') => self.escape()?,
                Some(b'\n') | None => return Err(self.problem("the string has no closing quote")),
                Some(_) => {
                    return Err(self.problem("control characters in a string must be escaped"));
                }
            }
        }
    }

    fn escape(&mut self) -> Found<()> {
        let rest = &self.bytes[self.at + 1..];
        self.at += match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', digits @ ..]
                if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) =>
            {
                6
            }
            _ => return Err(self.problem("no such escape in JSON")),
        };
        Ok(())
    }

    fn number(&mut self) -> Found<()> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Found<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.problem("expected a digit")) }
    }

    fn word(&mut self) -> Found<()> {
        for word in ["true", "false", "null"] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(());
            }
        }
        Err(self.problem("expected a value"))
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, otherwise: &str) -> Found<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.problem(otherwise)) }
    }

    fn problem(&self, reason: &str) -> Problem {
        Problem { at: self.at, reason: format!("malformed JSON: {reason}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'j>(json: &'j str, field: &str) -> &'j str {
        &json[locate(json.as_bytes(), field).unwrap()]
    }

    fn refused(json: &str, field: &str) -> (usize, String) {
        let problem = locate(json.as_bytes(), field).unwrap_err();
        (problem.at, problem.reason)
    }

    #[test]
    fn finds_the_literal() {
        assert_eq!(found(r#" {"id":[1,{"text":"no"}], "text" : "yes" } "#, "text"), r#""yes""#);
        assert_eq!(found(r#"{"a":{"b":{"c":"deep"}}}"#, "a.b.c"), r#""deep""#);
        assert_eq!(found(r#"{"a":{"b":"nested"},"a.b":"literal"}"#, "a.b"), r#""literal""#);
        assert_eq!(found(r#"{"t":"first","t":"second"}"#, "t"), r#""first""#);
        assert_eq!(found(r#"{"t\u0065xt":"x"}"#, "text"), r#""x""#);
    }

    #[test]
    fn an_error_lists_what_exists_instead() {
        let (at, reason) = refused(r#" {"a":1,"b":"x"}"#, "text");
        assert_eq!((at, reason.contains("`a`, `b`")), (1, true), "{reason}");
        let (at, reason) = refused(r#"{"text":null}"#, "text");
        assert_eq!((at, reason.contains("is null")), (8, true), "{reason}");
        let (at, reason) = refused(r#"{"m":{"x":1}}"#, "m.text");
        assert_eq!((at, reason.contains("`x`")), (5, true), "{reason}");
        let (at, reason) = refused(r#"{"m":"x"}"#, "m.text");
        assert_eq!((at, reason.contains("a string, not an object")), (5, true), "{reason}");
    }

    /// The scanner accepts and refuses what serde_json does, checked with truncations and single-byte
    /// changes of a line that has every kind of value.
    #[test]
    fn accepts_what_serde_json_accepts() {
        let line = br#"{"t":"a\n\u00e9\/","n":[0,-1.5e+3,1E9,[]],"o":{"k":{},"l":true},"f":false,"z":null}"#;
        let agrees = |json: &[u8]| {
            let known: Result<serde_json::Map<_, _>, _> = serde_json::from_slice(json);
            let ours = locate(json, "t");
            let ours_valid = !matches!(&ours, Err(p) if p.reason.starts_with("malformed"));
            assert_eq!(ours_valid, known.is_ok(), "{}: {ours:?}", json.as_bstr());
        };
        for end in 0..=line.len() {
            agrees(&line[..end]);
        }
        for at in 0..line.len() {
            for byte in *b"\"\\{}[],:0-.eu \n\x01atrn" {
                let mut changed = line.to_vec();
                changed[at] = byte;
                agrees(&changed);
                changed.insert(at, byte);
                agrees(&changed);
            }
        }
    }

    #[test]
    fn deep_nesting_is_accepted() {
        let deep = [r#"{"t":"x","d":"#, &"[".repeat(1 << 20), &"]".repeat(1 << 20), "}"].concat();
        assert_eq!(found(&deep, "t"), r#""x""#);
    }
}
